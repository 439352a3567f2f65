// What scripts answer: how their results become replies, and what their errors say.
//
// What the language itself does is in test/unit/lua and test/property/lua-*.test.ts.

import { conformance, notIn7, scenario } from './harness/cases.ts';
import { double } from './harness/replies.ts';
import { evalOf, scripts } from './harness/scripts.ts';

const since84 = notIn7('the shortest digits of a double: Redis since 7.2');

export const family = conformance('script-results', [
  scenario('results', [
    ...scripts(String.raw`
      return 1
      return nil
      return true
      return false
      return
      return 3.7
      return -3.7
      return -0.2
      return 1e15
      return 2^53
      return 2^63
      return -2^63
      return 2^64
      return 1e300
      return -1e300
      return 1/0
      return -1/0
      return 0/0
      return 'abc'
      return ''
      return '\0\255\r\n'
      return {1,2,nil,4}
      return {1,{2,{3,nil,4}},'x',true,false,1.5}
      return {}
      return {a=1}
      return {1,a=1}
      return function() end
      return coroutine.create(function() end)
      return {function() end, 1}
      return print
      return {true}
      return {false}
      return {1,2,'3',{4},nil,5}
      return 1,2,3
    `),
  ]),

  scenario('tables that name their type', [
    ...scripts(String.raw`
      return {ok='fine'}
      return {ok='fi\r\nne'}
      return {ok=1}
      return {ok={}}
      return {err='ERR x'}
      return {err='My Err'}
      return {err='X'}
      return {err=''}
      return {err='ERR a\r\nb'}
      return {err=1}
      return {err='-ERR x'}
      return {err='--ERR x'}
      return {double=3.5}
      return {double=3}
      return {double=1/0}
      return {double=-1/0}
      return {double='3'}
      return {double=1e20}
      return {double=1e21}
      return {double=-0.0}
      return {map={a=1}}
      return {map={}}
      return {map={1,2,3}}
      return {map=1}
      return {map={a={map={b=1}}}}
      return {set={a=true}}
      return {set={}}
      return {set={'x','y'}}
      return {set=1}
      return {big_number='12345678901234567890'}
      return {big_number=123}
      return {big_number='12\r\n3'}
      return {big_number='abc'}
      return {verbatim_string={string='hi',format='txt'}}
      return {verbatim_string={string='hi',format='mkd'}}
      return {verbatim_string={string='hi',format='abc'}}
      return {verbatim_string={string='hi',format='abcdef'}}
      return {verbatim_string={string='hi',format='a'}}
      return {verbatim_string={string='hi'}}
      return {verbatim_string={format='txt'}}
      return {verbatim_string={string=1,format='txt'}}
      return {verbatim_string={string='a\r\nb',format='txt'}}
      return {verbatim_string='x'}
      return {{ok='a'},{err='ERR b'},{double=1.5},{map={k='v'}},{set={s=true}},{big_number='1'},{verbatim_string={string='a',format='txt'}}}
      return {{err='x'},{err='WRONG y'}}
      return {ok='OK',err='ERR both'}
      return {ok='OK',double=1}
      return {err=1,ok='y'}
      return setmetatable({},{__index={ok='fine'}})
      return setmetatable({},{__index=function(t,k) if k=='ok' then return 'x' end end})
      return setmetatable({},{__index=function(t,k) return 'v'..k end})
      return setmetatable({},{__index=function(t,k) if k==1 then return 'x' end end})
      return setmetatable({},{__index=function(t,k) error('boom') end})
      return {map=setmetatable({a=1},{__pairs=function() end})}
    `),
    since84(evalOf('return {double=0/0}'), double('nan')),
    since84(evalOf('return {double=1e300}'), double('1e+300')),
    since84(evalOf('return {double=0.1}'), double('0.1')),
    since84(evalOf('return {double=123456789012345680}'), double('123456789012345680')),
  ]),

  scenario('redis.error_reply and redis.status_reply', [
    ...scripts(String.raw`
      return redis.status_reply('a')
      return redis.status_reply('')
      return redis.status_reply(1)
      return redis.status_reply()
      return redis.status_reply('a','b')
      return redis.status_reply(nil)
      return redis.status_reply({})
      return redis.error_reply('a')
      return redis.error_reply('a b')
      return redis.error_reply('-a b')
      return redis.error_reply('-a')
      return redis.error_reply('')
      return redis.error_reply('-')
      return redis.error_reply('ERR x')
      return redis.error_reply('My Err')
      return redis.error_reply(' x')
      return redis.error_reply('x ')
      return redis.error_reply('a\r\nb c')
      return redis.error_reply(1)
      return redis.error_reply()
      return redis.error_reply('a','b')
      return redis.error_reply(nil)
      return redis.error_reply({})
      return redis.error_reply('a').err
      return redis.error_reply('a b').ignore_error_stats_update
      local t=redis.error_reply('a b') local n='' for k,v in pairs(t) do n=n..tostring(k)..'='..tostring(v)..';' end return n
    `),
  ]),

  scenario('errors', [
    ...scripts(String.raw`
      local ok,t=pcall(error,{err='x'}) local n={tostring(ok),type(t)} for k,v in pairs(t) do n[#n+1]=tostring(k)..'='..tostring(v) end table.sort(n) return n
      local ok,t=pcall(error,'x') return {tostring(ok),type(t),t}
      local ok,t=pcall(function() error('x') end) return {tostring(ok),type(t),t}
      local ok,t=pcall(function() error('x',0) end) return {tostring(ok),type(t),t}
      local ok,t=pcall(function() error('x',2) end) return {tostring(ok),type(t),t}
      local ok,t=pcall(function() local x=nil; x.y=1 end) return {tostring(ok),type(t),t}
      local ok,t=pcall(error) return {tostring(ok),type(t),t}
      local ok,t=pcall(error,nil) return {tostring(ok),type(t),t}
      error('x')
      error('x',0)
      error('x',1)
      error('x',2)
      error('x',3)
      error('ERR x',0)
      error(1)
      error(1.5)
      error(true)
      error(nil)
      error()
      error({err='My err'})
      error({err='ERR x'})
      error({err='a\r\nb'})
      error({err=''})
      error({err='x',source='s',line='7'})
      error({err='x',source='s',line=7})
      error({err='x',source='s'})
      error({err='x',line='7'})
      error({err='x',line={}})
      error({err='x',ignore_error_stats_update=true})
      error({err='x',ignore_error_stats_update=1})
      error({err=1})
      error('a\r\nb')
      error('a\0b')
      error({err='a\0b'})
      local function f() error('deep') end f()
      local function f() error('deep',2) end f()
      local x = nil + 1
      local x = {} .. 'a'
      local t = {} t.x.y = 1
      return #nil
      return -{}
      return {} < {}
      return 1 < 'x'
      for i=1,'x' do end
      return ('x'):nope()
      return string.rep('x',-1)
      return string.rep()
      return tostring()
      return assert(false)
      return assert(false,'msg')
      return assert(nil,{err='tab'})
      return assert(false,{})
    `),
  ]),

  scenario('KEYS, ARGV and globals', [
    ...scripts(`
      return KEYS.a.b
      return unknown
      unknown = 1
      redis.x = 1
      local n={} for k,v in pairs(redis) do n[#n+1]=k..type(v) end table.sort(n) return n
      return tostring(redis):sub(1,6)
      return tostring(redis.call):sub(1,9)
      return getmetatable(redis)
      redis.call=nil
      rawset(redis,'x',1)
      KEYS[1]='x' return KEYS[1]
      KEYS=1
      ARGV={}
      return KEYS
      return #KEYS..#ARGV
      return type(KEYS)
      return KEYS[1]
      return _G.KEYS==KEYS
      return rawget(_G,'KEYS')
    `),
  ]),

  scenario('scripts that cannot be compiled', [
    ...scripts(String.raw`
      return return
      x =
      local function
      return 1 +
      return 'unfinished
      return "a\qb"
      if true then
      return 1 end
      --[[ unclosed
      goto x
      return 0x
      return 1..2
      local x <const> = 1
      return a b
      for
      return {1,2
      return f(
      \27Lua
      return 1;;
      break
      return ...
      local a,b=... return a
      return select('#',...)
    `),
  ]),
]);
