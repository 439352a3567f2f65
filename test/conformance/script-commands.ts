// The library `redis`: commands that scripts run, what these answer to them, and what else the library has.

import { conformance, notIn7, scenario } from './harness/cases.ts';
import { evalOf, scripts } from './harness/scripts.ts';

const since84 = notIn7('the digits of a number that a script gives to a command: Redis since 7.2');

export const family = conformance('script-commands', [
  scenario('commands and what they answer', [
    ...scripts(String.raw`
      return redis.call
      local t=redis.pcall('nope') local n={} for k,v in pairs(t) do n[#n+1]=tostring(k)..'='..tostring(v) end table.sort(n) return n
      local t=redis.pcall('get') local n={} for k,v in pairs(t) do n[#n+1]=tostring(k)..'='..tostring(v) end table.sort(n) return n
      redis.call('set','k','v') local t=redis.pcall('incr','k') local n={} for k,v in pairs(t) do n[#n+1]=tostring(k)..'='..tostring(v) end table.sort(n) return n
      local ok,t=pcall(redis.call,'incr','k') local n={} for k,v in pairs(t) do n[#n+1]=tostring(k)..'='..tostring(v) end table.sort(n) return n
      local ok,t=pcall(redis.call) local n={tostring(ok),type(t)} for k,v in pairs(t) do n[#n+1]=tostring(k)..'='..tostring(v) end table.sort(n) return n
      local ok,t=pcall(redis.call,{}) local n={tostring(ok),type(t)} for k,v in pairs(t) do n[#n+1]=tostring(k)..'='..tostring(v) end table.sort(n) return n
      local ok,t=xpcall(function() redis.call('nope') end, function(e) return e end) return {tostring(ok),type(t),t.err}
      return redis.call()
      return redis.pcall()
      return redis.call(nil)
      return redis.call('nope')
      return redis.call('get')
      return redis.call('get','a','b')
      return redis.call('get',true)
      return redis.call('get',nil)
      return redis.call('get',{})
      return redis.pcall('get',{})
      return redis.call({})
      return redis.call('')
      return redis.call(1)
      return redis.call('GET','k')
      return redis.call('gEt','nokey')
      return redis.call('get\0','k')
      return redis.call('get ','k')
      return redis.call('wait',0,0)
      return redis.call('ping')
      return redis.call('ping','x')
      return redis.call('echo','x')
      return redis.call('select',1)
      return redis.call('select',99)
      return redis.call('select','x')
      return redis.call('swapdb',0,1)
      return redis.call('flushdb')
      return redis.call('dbsize')
      return redis.call('publish','c','m')
      return redis.call('spublish','c','m')
      return redis.call('set','k','v')
      return redis.call('set','k','v','nx')
      return redis.call('set','k')
      return redis.call('set','k','v','bad')
      return redis.call('mget','k','none')
      return redis.call('get','none')
      return redis.call('incrbyfloat','f','1.5')
      return redis.call('type','k')
      return redis.call('set','k','v').ok
      return type(redis.call('set','k','v'))
      return redis.call('incrby','cnt',5)
      return redis.call('expire','k',1000)
      return redis.call('mget','k','none','k')
      redis.setresp(3) return redis.pcall('nope')
    `),
  ]),

  scenario('commands that scripts may not run, and others', [
    ...scripts(`
      return redis.call('eval','return 1',0)
      return redis.call('evalsha','x',0)
      return redis.call('eval_ro','return 1',0)
      return redis.call('script','load','x')
      return redis.call('script','flush')
      return redis.call('script','nope')
      return redis.call('script')
      return redis.call('multi')
      return redis.call('exec')
      return redis.call('watch','k')
      return redis.call('unwatch')
      return redis.call('subscribe','c')
      return redis.call('psubscribe','c')
      return redis.call('client','id')
      return redis.call('client','getname')
      return redis.call('client','nope')
      return redis.call('client')
      return redis.call('client','kill')
      return redis.call('client','reply','off')
      return redis.call('config','nope')
      return redis.call('reset')
      return redis.call('quit')
      return redis.call('monitor')
      return redis.call('sync')
      return redis.call('shutdown')
      return redis.call('save')
      return redis.call('bgsave')
      return redis.call('bgrewriteaof')
      return redis.call('acl','whoami')
      return redis.call('acl','list')
      return redis.call('acl','nope')
      return redis.call('command','count','x')
      return redis.call('command','nope')
      return redis.call('command','getkeys','get','a')
      return redis.call('object','encoding','k')
      return redis.call('object','nope','x')
      return redis.call('object')
      return redis.call('latency','reset')
      return redis.call('pubsub','channels')
      return redis.call('pubsub','numsub','a')
      return redis.call('pubsub','nope')
      return redis.call('cluster','info')
      return redis.call('cluster','keyslot','a')
      return redis.call('readonly')
      return redis.call('module','list')
    `),
  ]),

  scenario('numbers as arguments', [
    ...scripts(`
      return redis.call('set','n',10)
      return redis.call('set','n',10.5) and redis.call('get','n')
      return redis.call('set','n',1e15) and redis.call('get','n')
      return redis.call('set','n',2^53) and redis.call('get','n')
      return redis.call('set','n','0x10') and redis.call('get','n')
    `),
    since84(evalOf("return redis.call('set','n',1e17) and redis.call('get','n')"), '100000000000000000'),
    since84(evalOf("return redis.call('set','n',2^62) and redis.call('get','n')"), '4611686018427387904'),
    since84(evalOf("return redis.call('set','n',-2^62) and redis.call('get','n')"), '-4611686018427387904'),
    since84(
      evalOf("return redis.call('set','n',2^62+1024) and redis.call('get','n')"),
      '4611686018427389000',
    ),
    since84(evalOf("return redis.call('set','n',-0.0) and redis.call('get','n')"), '0'),
  ]),

  scenario('redis.setresp', [
    ...scripts(`
      return redis.setresp()
      return redis.setresp(1)
      return redis.setresp('3')
      return redis.setresp('2')
      return redis.setresp(2,3)
      return redis.setresp({})
      return redis.setresp(3.5)
      return redis.setresp(nil)
      redis.setresp(3) return redis.call('get','none')
      redis.setresp(3) return type(redis.call('get','none'))
      redis.setresp(2) return type(redis.call('get','none'))
      redis.setresp(3) return redis.call('mget','none','k')
      redis.setresp(3) return redis.call('mget','k','none','k')
      redis.setresp(3) local t=redis.call('mget','k','none','k') return {#t,tostring(t[2]),t[3]}
      redis.setresp(3) return redis.call('incrbyfloat','f','1')
      redis.setresp(3) return true
      redis.setresp(3) return false
      redis.setresp(3) return nil
      redis.setresp(3) return {true,false}
      redis.setresp(3) return {map={a=true}}
      redis.setresp(3) return {1,nil,2}
      redis.setresp(3) return redis.call('ping')
      redis.setresp(3) return redis.call('set','k','v').ok
    `),
  ]),

  scenario('other functions', [
    ...scripts(`
      local ok,t=pcall(redis.setresp,5) local n={tostring(ok),type(t)} for k,v in pairs(t) do n[#n+1]=tostring(k)..'='..tostring(v) end table.sort(n) return n
      local ok,t=pcall(redis.log,5) local n={tostring(ok),type(t)} for k,v in pairs(t) do n[#n+1]=tostring(k)..'='..tostring(v) end table.sort(n) return n
      local ok,t=pcall(redis.sha1hex) local n={tostring(ok),type(t)} for k,v in pairs(t) do n[#n+1]=tostring(k)..'='..tostring(v) end table.sort(n) return n
      return redis.nope
      return redis.nope()
      return redis.sha1hex('')
      return redis.sha1hex('abc')
      return redis.sha1hex(1)
      return redis.sha1hex(1.5)
      return redis.sha1hex(nil)
      return redis.sha1hex({})
      return redis.sha1hex(true)
      return redis.sha1hex()
      return redis.sha1hex('a','b')
      return redis.replicate_commands()
      return redis.replicate_commands(1,2)
      return redis.set_repl()
      return redis.set_repl(1,2)
      return redis.set_repl('x')
      return redis.set_repl('1')
      return redis.set_repl({})
      return redis.set_repl(nil)
      return redis.set_repl(0)
      return redis.set_repl(4)
      return redis.set_repl(-1)
      return redis.set_repl(7)
      return redis.set_repl(3)
      return redis.set_repl(1.5)
      return redis.set_repl(1e10)
      return redis.set_repl(0/0)
      return redis.set_repl(redis.REPL_ALL)
      return redis.breakpoint()
      return redis.breakpoint(1)
      return redis.debug('x')
      return redis.debug()
      return redis.debug({},1)
      return redis.acl_check_cmd()
      return redis.acl_check_cmd('get')
      return redis.acl_check_cmd('get','k')
      return redis.acl_check_cmd('nope')
      return redis.acl_check_cmd('nope','x')
      return redis.acl_check_cmd({})
      return redis.acl_check_cmd('get',{})
      return redis.acl_check_cmd('get',nil)
      return redis.acl_check_cmd('config')
      return redis.acl_check_cmd('config','nope')
      return redis.acl_check_cmd('client','id')
      return redis.acl_check_cmd('get','a','b','c')
      return redis.acl_check_cmd('eval')
      return redis.acl_check_cmd('')
      return redis.acl_check_cmd(1)
      return redis.register_function()
      return redis.register_function('f',function() end)
      return redis.register_function{function_name='f',callback=function() end}
      return redis.LOG_DEBUG..redis.LOG_VERBOSE..redis.LOG_NOTICE..redis.LOG_WARNING
      return redis.REPL_NONE..redis.REPL_AOF..redis.REPL_REPLICA..redis.REPL_SLAVE..redis.REPL_ALL
    `),
  ]),
]);
