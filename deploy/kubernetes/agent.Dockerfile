# The agent's Debian package as an image: docker build -f agent.Dockerfile <folder with elastic-agent_*.deb>
FROM debian:13-slim
COPY elastic-agent_*.deb /tmp/agent.deb
RUN apt-get update \
  && apt-get install --yes --no-install-recommends /tmp/agent.deb \
  && rm -rf /tmp/agent.deb /var/lib/apt/lists/*
