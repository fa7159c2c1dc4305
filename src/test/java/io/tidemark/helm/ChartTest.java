package io.tidemark.helm;

import static io.tidemark.helm.Chart.manifests;
import static io.tidemark.helm.Chart.valueFile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.access.AccessKey;
import io.tidemark.config.Settings;
import io.tidemark.http.server.TlsFiles;
import io.tidemark.yaml.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ChartTest {

  static final Map<String, String> SECRETS = Map.of("MARKET_KEY", "m", "KAFKA_USER", "ann", "KAFKA_PASSWORD", "k",
      "REGISTRY_USER", "bob", "REGISTRY_PASSWORD", "r", "WEB_SESSION_SECRET", "s".repeat(32));

  @TempDir
  Path folder;

  static List<Path> valueFiles() throws IOException {
    return Chart.valueFiles();
  }

  @ParameterizedTest
  @MethodSource("valueFiles")
  void lint_findsNothing(Path values) throws IOException {
    assertThat(Chart.lint(values, folder)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("valueFiles")
  void everyManifest_isValidForKubernetes(Path values) throws Exception {
    var manifests = manifests(values, Map.of());

    assertThat(manifests).hasSizeGreaterThan(6);
    for (var manifest : manifests) {
      Kubernetes.check(manifest);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "StatefulSet, /spec/template/spec, securityContexts",
    "ServiceMonitor, /spec/endpoints/0, intervall",
    "PrometheusRule, /spec/groups/0/rules/0, fore"})
  void misspeltField_isFound(String kind, String place, String field) {
    var manifest = manifests("everything", kind).getFirst();
    ((ObjectNode) manifest.at(place)).put(field, "none");

    assertThatThrownBy(() -> Kubernetes.check(manifest)).hasMessageContaining(field);
  }

  @ParameterizedTest
  @CsvSource({
    "ServiceMonitor, /spec/endpoints/0, interval",
    "PrometheusRule, /spec/groups/0/rules/0, for"})
  void numberInsteadOfText_isFound(String kind, String place, String field) {
    var manifest = manifests("everything", kind).getFirst();
    ((ObjectNode) manifest.at(place)).put(field, 30);

    assertThatThrownBy(() -> Kubernetes.check(manifest)).hasMessageContaining(field);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      kafka.bootstrapServers        | kafka          | /kafka/bootstrapServers
      registry.url                  |                | /registry/url
      roles.together.replicas       | 0              | /roles/together/replicas
      kafka.sasl.mechanism          | SCRAM          | /kafka/sasl/mechanism
      kafka.sasl.mechanism          | PLAIN          | /kafka/sasl/secret/name
      networkPolicy.enable          | true           | 'enable'
      secretVariables[0].name       | MARKET-KEY     | /secretVariables/0/name
      config.sources                | null           | /config
      ingress.host                  | Not_a_host     | /ingress/host
      web.anonymous                 | all            | /web/anonymous
      web.keys[0].hash              | tidemark_key   | /web/keys/0/hash
      """)
  void wrongValue_isRejectedWithItsPath(String name, String value, String place) {
    assertThatThrownBy(() -> manifests(valueFile("together"), Map.of(name, value == null ? "" : value)))
        .hasMessageContaining("values don't meet the specifications of the schema")
        .hasMessageContaining(place);
  }

  @Test
  void configuration_isReadByTheProgram() {
    var settings = Settings.parse("tidemark.yaml", configuration("apart"), SECRETS::get);

    assertThat(settings.kafka().properties()).containsOnly(
        Map.entry("security.protocol", "SASL_SSL"),
        Map.entry("sasl.mechanism", "SCRAM-SHA-512"),
        Map.entry("sasl.jaas.config", "org.apache.kafka.common.security.scram.ScramLoginModule required"
            + " username=\"ann\" password=\"k\";"),
        Map.entry("ssl.truststore.type", "PEM"),
        Map.entry("ssl.truststore.location", "/run/secrets/kafka-ca/ca.crt"),
        Map.entry("client.rack", "eu-1a"));
    assertThat(settings.registry().user()).isEqualTo("bob");
    assertThat(settings.topics().layout().partitions()).isEqualTo(12);
    assertThat(settings.web().address()).isEqualTo("0.0.0.0");
    assertThat(settings.access().keys()).extracting(AccessKey::name).containsExactly("desk", "ops");
    assertThat(settings.access().anonymousReading()).isFalse();
    assertThat(settings.access().sessionSecret()).isEqualTo(new Secret("s".repeat(32)));
    assertThat(settings.webTls())
        .isEqualTo(new TlsFiles(Path.of("/run/secrets/web-tls/tls.crt"), Path.of("/run/secrets/web-tls/tls.key")));
  }

  @Test
  void webPortWithoutKeys_isRefusedUnlessReadingIsOpen() {
    assertThatThrownBy(() -> manifests(valueFile("together"), Map.of("web.anonymous", "none")))
        .hasMessageContaining("web.keys: nobody could read");
  }

  @Test
  void severalReplicasWithKeys_needASharedSecret() {
    assertThatThrownBy(() -> manifests(valueFile("apart"), Map.of("web.sessionSecret.name", "")))
        .hasMessageContaining("web.sessionSecret.name: with several replicas");
  }

  @Test
  void everyVariable_comesFromAnExistingSecret() {
    var container = manifests("apart", "StatefulSet").getFirst().at("/spec/template/spec/containers/0");

    assertThat(elements(container.path("env")).filter(each -> each.has("valueFrom")))
        .extracting(each -> each.path("name").asText() + " " + each.at("/valueFrom/secretKeyRef/name").asText())
        .containsExactlyInAnyOrder("KAFKA_USER tidemark-kafka", "KAFKA_PASSWORD tidemark-kafka",
            "REGISTRY_USER tidemark-registry", "REGISTRY_PASSWORD tidemark-registry",
            "WEB_SESSION_SECRET tidemark-web", "MARKET_KEY market");
    assertThat(elements(container.path("volumeMounts"))).extracting(each -> each.path("mountPath").asText())
        .contains("/run/secrets/kafka-ca", "/run/secrets/registry-ca", "/run/secrets/web-tls");
  }

  @Test
  void separateRoles_areOneWorkloadEach() {
    assertThat(manifests("apart", "StatefulSet")).extracting(ChartTest::role)
        .containsExactly("tm-tidemark-poll 3 --only poll", "tm-tidemark-stream 2 --only stream");
  }

  @Test
  void web_scalesByItself_behindAServiceAndAnIngress() {
    var web = manifests("apart", "Deployment").getFirst();
    var scaler = manifests("apart", "HorizontalPodAutoscaler").getFirst().path("spec");
    var service = manifests("apart", "Service").stream()
        .filter(each -> each.at("/metadata/name").asText().equals("tm-tidemark")).findFirst().orElseThrow();
    var ingress = manifests("apart", "Ingress").getFirst().path("spec");

    assertThat(role(web)).isEqualTo("tm-tidemark-web 0 --only web");
    assertThat(web.path("spec").has("replicas")).as("the autoscaler sets them").isFalse();
    assertThat(web.at("/spec/strategy/rollingUpdate/maxUnavailable").asInt(1)).isZero();
    assertThat(web.at("/spec/template/spec/containers/0/readinessProbe/httpGet/path").asText())
        .isEqualTo("/health/ready");
    assertThat(scaler.at("/scaleTargetRef/name").asText()).isEqualTo("tm-tidemark-web");
    assertThat(scaler.path("minReplicas").asInt()).isEqualTo(4);
    assertThat(scaler.path("maxReplicas").asInt()).isEqualTo(8);
    assertThat(service.at("/spec/selector/app.kubernetes.io~1component").asText()).isEqualTo("web")
        .isEqualTo(web.at("/spec/template/metadata/labels/app.kubernetes.io~1component").asText());
    assertThat(ingress.at("/rules/0/host").asText()).isEqualTo("tidemark.example.org");
    assertThat(ingress.at("/rules/0/http/paths/0/backend/service/name").asText()).isEqualTo("tm-tidemark");
    assertThat(manifests("together", "Ingress")).isEmpty();
    assertThat(manifests("together", "HorizontalPodAutoscaler")).isEmpty();
  }

  @Test
  void combinedRoles_areOneWorkload() {
    assertThat(manifests("together", "StatefulSet")).extracting(ChartTest::role)
        .containsExactly("tm-tidemark-together 2");
  }

  @Test
  void changedConfiguration_replacesPods() {
    var before = manifests("together", "StatefulSet").getFirst();
    var same = manifests(valueFile("together"), Map.of("podDisruptionBudget.maxUnavailable", "2"));
    var other = manifests(valueFile("together"), Map.of("config.topics.partitions", "7"));

    assertThat(checksum(before)).isNotBlank().isEqualTo(checksum(workload(same)));
    assertThat(checksum(workload(other))).isNotEqualTo(checksum(before));
  }

  @Test
  void pods_haveMinimalRights() {
    var pod = manifests("together", "StatefulSet").getFirst().at("/spec/template/spec");
    var container = pod.at("/containers/0");

    assertThat(pod.at("/automountServiceAccountToken").asBoolean(true)).isFalse();
    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(container.at("/securityContext/capabilities/drop/0").asText()).isEqualTo("ALL");
  }

  @Test
  void probes_useTheManagementPortAndAllowForStartup() {
    var container = manifests("together", "StatefulSet").getFirst().at("/spec/template/spec/containers/0");

    assertThat(
        container.at("/startupProbe/failureThreshold").asInt() * container.at("/startupProbe/periodSeconds").asInt())
        .isEqualTo(600);
    assertThat(container.at("/readinessProbe/httpGet"))
        .hasToString("{\"path\":\"/health/ready\",\"port\":\"management\"}");
    assertThat(container.at("/livenessProbe/httpGet"))
        .hasToString("{\"path\":\"/health/live\",\"port\":\"management\"}");
  }

  @Test
  void monitoring_isOffByDefault() {
    assertThat(manifests("together", "ServiceMonitor")).isEmpty();
    assertThat(manifests("together", "PrometheusRule")).isEmpty();
    assertThat(manifests("everything", "ServiceMonitor")).singleElement()
        .satisfies(each -> assertThat(each.at("/spec/endpoints/0/path").asText()).isEqualTo("/metrics"));
    assertThat(manifests("everything", "PrometheusRule")).singleElement()
        .satisfies(each -> assertThat(each.at("/spec/groups/0/rules/0/expr").asText())
            .as("about this release alone")
            .matches("absent\\(tidemark_build_info\\{job=\".+-management\",namespace=\".+\"}\\)"));
    assertThat(manifests("everything", "ConfigMap")).filteredOn(each -> each.at("/data").has("tidemark.json"))
        .hasSize(1);
  }

  @Test
  void helmTest_runsCheckAndReadiness() throws Exception {
    var pod = Chart.test(valueFile("apart"), folder);

    Kubernetes.check(pod);
    assertThat(elements(pod.at("/spec/containers"))).extracting(each -> each.path("name").asText())
        .containsExactly("check", "ready");
  }

  private static String configuration(String values) {
    return manifests(values, "ConfigMap").getFirst().at("/data/tidemark.yaml").asText();
  }

  private static String role(JsonNode workload) {
    var arguments = elements(workload.at("/spec/template/spec/containers/0/args"))
        .skip(3)
        .map(JsonNode::asText)
        .toList();
    return (workload.at("/metadata/name").asText() + " " + workload.at("/spec/replicas").asInt() + " "
        + String.join(" ", arguments)).strip();
  }

  private static String checksum(JsonNode workload) {
    return workload.at("/spec/template/metadata/annotations/checksum~1config").asText();
  }

  private static JsonNode workload(List<JsonNode> manifests) {
    return manifests.stream().filter(each -> each.path("kind").asText().equals("StatefulSet")).findFirst()
        .orElseThrow();
  }

  private static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
