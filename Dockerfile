# The images of Tidemark, from the output of `mvn -DskipTests package` in target/; needs no network. The default one is for
# production; `--target demo` adds the embedded broker, the simulated market, and the commands that need them.
FROM eclipse-temurin:25-jre AS program

# Dependencies change seldom and have layers of their own. The native library of the stores is for Linux only.
COPY target/lib/*.jar /opt/tidemark/lib/
COPY target/image/ /opt/tidemark/lib/
COPY src/main/docker/java.args src/main/docker/memory.flags src/main/docker/healthy /opt/tidemark/bin/
COPY target/tidemark-*.jar /opt/tidemark/tidemark.jar
COPY target/sbom.json LICENSE NOTICE /opt/tidemark/
COPY target/licenses/ /opt/tidemark/licenses/

FROM program AS training
COPY target/lib/embedded/ /opt/embedded/
COPY src/main/docker/train /opt/
RUN ["/bin/bash", "/opt/train"]

FROM program AS production

LABEL org.opencontainers.image.title="Tidemark" \
      org.opencontainers.image.description="Change data capture for a polled market data service" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0"

COPY --from=training /opt/tidemark/tidemark.jsa /opt/tidemark/tidemark.jsa
RUN mkdir -p /etc/tidemark /var/lib/tidemark && chown 10001:0 /var/lib/tidemark && chmod 775 /var/lib/tidemark

# The root file system may be read-only: /var/lib/tidemark is a volume, and /tmp needs exec for native libraries.
USER 10001:0
WORKDIR /var/lib/tidemark
VOLUME /var/lib/tidemark
ENV TIDEMARK_LOG=json TIDEMARK_LOCAL_STORE=/var/lib/tidemark/known MALLOC_ARENA_MAX=2
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=6s --start-period=120s --retries=6 CMD ["/bin/bash", "/opt/tidemark/bin/healthy"]
ENTRYPOINT ["java", "@/opt/tidemark/bin/java.args", "-jar", "/opt/tidemark/tidemark.jar"]
CMD ["run", "--config", "/etc/tidemark/tidemark.yaml"]

FROM production AS demo
COPY target/lib/embedded/ /opt/tidemark/lib/embedded/
COPY target/sbom-with-embedded.json /opt/tidemark/sbom.json

# As the launcher starts the demo: it shares a machine with its user. The output is for people.
ENV JDK_JAVA_OPTIONS=-Xmx320m TIDEMARK_LOG=text
CMD ["demo", "--address", "0.0.0.0", "--data", "/var/lib/tidemark/demo"]

# The last one is the default.
FROM production
