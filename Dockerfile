# Two stages: the first builds and has the tools for it, the second runs and has nothing else.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --include=dev --no-audit --no-fund
COPY src ./src
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production
# A container is reached through the ports that `docker run -p` opens, so, like Redis' image, this one listens on every
# address and turns protected mode off. Whoever can reach the port can use the server: set HOLDFAST_REQUIREPASS, or do
# not publish the port beyond machines you trust. `-e HOLDFAST_PROTECTED_MODE=yes` turns it on again.
ENV HOLDFAST_BIND="* -::*" HOLDFAST_PROTECTED_MODE=no
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
EXPOSE 6379
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s CMD ["node", "/app/dist/main.js", "ping"]
ENTRYPOINT ["node", "--single-threaded-gc", "/app/dist/main.js"]
