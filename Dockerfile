# The image of Tidemark, from the output of `mvn -DskipTests package` in target/; needs no network.
FROM eclipse-temurin:25-jre

LABEL org.opencontainers.image.title="Tidemark" \
      org.opencontainers.image.description="Change data capture for a polled market data service" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0"

# Dependencies change seldom and have layers of their own. The native library of the stores is for Linux only.
COPY target/lib/ /opt/tidemark/lib/
COPY target/image/ /opt/tidemark/lib/
COPY src/main/docker/java.args src/main/docker/healthy src/main/docker/train /opt/tidemark/bin/
COPY target/tidemark-*.jar /opt/tidemark/tidemark.jar
COPY target/sbom.json /opt/tidemark/sbom.json
RUN ["/bin/bash", "/opt/tidemark/bin/train"]
RUN mkdir -p /etc/tidemark /var/lib/tidemark && chown 10001:0 /var/lib/tidemark && chmod 775 /var/lib/tidemark

# The root file system may be read-only: /var/lib/tidemark is a volume, and /tmp needs exec for native libraries.
USER 10001:0
WORKDIR /var/lib/tidemark
VOLUME /var/lib/tidemark
ENV TIDEMARK_LOG=json TIDEMARK_LOCAL_STORE=/var/lib/tidemark/known
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=6s --start-period=120s --retries=6 CMD ["/bin/bash", "/opt/tidemark/bin/healthy"]
ENTRYPOINT ["java", "@/opt/tidemark/bin/java.args", "-jar", "/opt/tidemark/tidemark.jar"]
CMD ["run", "--config", "/etc/tidemark/tidemark.yaml"]
