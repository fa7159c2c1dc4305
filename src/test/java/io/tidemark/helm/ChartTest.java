package io.tidemark.helm;

import static io.tidemark.helm.Chart.manifests;
import static io.tidemark.helm.Chart.valueFile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tidemark.app.config.Settings;
import io.tidemark.event.Secret;
import io.tidemark.http.server.ReloadedTls.TlsFiles;
import io.tidemark.serve.access.AccessKey;
import io.tidemark.serve.access.AccessRight;
import io.tidemark.serve.access.AccessSettings.AnonymousAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ChartTest {

  static final Map<String, String> SECRETS = Map.of("MARKET_KEY", "m", "KAFKA_USER", "ann", "KAFKA_PASSWORD", "k",
      "REGISTRY_USER", "bob", "REGISTRY_PASSWORD", "r", "WEB_SESSION_SECRET", "s".repeat(32),
      "KAFKA_CLIENT_CERTIFICATE", "-----BEGIN CERTIFICATE-----\nM\n-----END CERTIFICATE-----\n",
      "KAFKA_CLIENT_KEY", "-----BEGIN PRIVATE KEY-----\nM\n-----END PRIVATE KEY-----\n");

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
    "HTTPRoute, /spec/rules/0, timeout",
    "PrometheusRule, /spec/groups/0/rules/0, fore"})
  void misspeltField_isFound(String kind, String place, String field) {
    var values = kind.equals("HTTPRoute") ? "certificate" : "everything";
    var manifest = manifests(values, kind).getFirst();
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
      kafka.sasl.mechanism          | OAUTHBEARER    | /kafka/sasl/oauth/tokenEndpoint
      image.digest                  | latest         | /image/digest
      gateway.enabled               | true           | /gateway/parentRefs
      extraEnv[0].value             | a              | /extraEnv/0
      persistence.retention.whenDeleted | Keep       | /persistence/retention/whenDeleted
      networkPolicy.enable          | true           | 'enable'
      podSecurityContext.runAsUser  | 0              | /podSecurityContext/runAsUser
      drainSeconds                  | -1             | /drainSeconds
      lifecycle.prestop.sleep       | 5              | 'prestop'
      topologySpreadConstraints[0].maxSkew | 1       | /topologySpreadConstraints/0
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
  void everyRightOfAKey_isAccepted() throws IOException {
    var schema = new ObjectMapper().readTree(Chart.FOLDER.resolve("values.schema.json").toFile());

    assertThat(elements(schema.at("/properties/web/properties/keys/items/properties/rights/items/enum")))
        .extracting(JsonNode::asText)
        .containsExactlyElementsOf(Stream.of(AccessRight.values()).map(AccessRight::wire).toList());
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
    assertThat(settings.access().anonymous()).isEqualTo(AnonymousAccess.NONE);
    assertThat(settings.access().sessionSecret()).isEqualTo(new Secret("s".repeat(32)));
    assertThat(settings.webTls())
        .isEqualTo(new TlsFiles(Path.of("/run/secrets/web-tls/tls.crt"), Path.of("/run/secrets/web-tls/tls.key")));
  }

  @Test
  void clientCertificate_isReadByTheProgram() {
    var settings = Settings.parse("tidemark.yaml", configuration("certificate"), name -> variable("certificate", name));

    assertThat(settings.kafka().properties()).containsOnly(
        Map.entry("security.protocol", "SSL"),
        Map.entry("ssl.truststore.type", "PEM"),
        Map.entry("ssl.truststore.location", "/run/secrets/kafka-ca/ca.crt"),
        Map.entry("ssl.keystore.type", "PEM"),
        Map.entry("ssl.keystore.certificate.chain", SECRETS.get("KAFKA_CLIENT_CERTIFICATE")),
        Map.entry("ssl.keystore.key", SECRETS.get("KAFKA_CLIENT_KEY").strip()));
  }

  @Test
  void loginWithTokens_isReadByTheProgram() throws IOException {
    var file = configuration("everything").replace("/run/secrets/market/key", folder.resolve("key").toString());
    Files.writeString(folder.resolve("key"), "k");

    var settings = Settings.parse("tidemark.yaml", file, name -> variable("everything", name));

    assertThat(settings.kafka().properties()).containsOnly(
        Map.entry("security.protocol", "SASL_SSL"),
        Map.entry("sasl.mechanism", "OAUTHBEARER"),
        Map.entry("sasl.jaas.config",
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;"),
        Map.entry("sasl.login.callback.handler.class",
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler"),
        Map.entry("sasl.oauthbearer.token.endpoint.url", "https://login.example.org/oauth2/token"),
        Map.entry("sasl.oauthbearer.client.credentials.client.id", "ann"),
        Map.entry("sasl.oauthbearer.client.credentials.client.secret", "k"),
        Map.entry("sasl.oauthbearer.scope", "kafka"));
  }

  @Test
  void image_isThatOfTheDigest() {
    assertThat(workload("certificate").at("/spec/template/spec/containers/0/image").asText())
        .isEqualTo("registry.example.org/data/tidemark@sha256:" + "0c".repeat(32));
    assertThat(workload("everything").at("/spec/template/spec/containers/0/image").asText())
        .isEqualTo("registry.example.org/tidemark:0.1.0");
  }

  @Test
  void extraParts_areInThePods() {
    var pod = workload("everything").at("/spec/template/spec");

    assertThat(elements(pod.path("containers"))).extracting(each -> each.path("name").asText())
        .containsExactly("tidemark", "proxy");
    assertThat(
        elements(pod.at("/containers/0/env")).filter(each -> each.at("/valueFrom/fieldRef/fieldPath").isTextual()))
        .extracting(each -> each.path("name").asText()).containsExactly("NODE");
    assertThat(elements(pod.at("/containers/0/volumeMounts"))).extracting(each -> each.path("name").asText())
        .contains("config", "templates");
    assertThat(elements(pod.path("volumes"))).extracting(each -> each.path("name").asText())
        .contains("config", "templates").doesNotHaveDuplicates();
  }

  @Test
  void storage_isBounded() {
    var kept = workload("everything").path("spec");
    var lost = workload("together").path("spec");

    assertThat(kept.at("/persistentVolumeClaimRetentionPolicy/whenDeleted").asText()).isEqualTo("Delete");
    assertThat(kept.at("/persistentVolumeClaimRetentionPolicy/whenScaled").asText()).isEqualTo("Retain");
    assertThat(lost.has("persistentVolumeClaimRetentionPolicy")).isFalse();
    assertThat(elements(lost.at("/template/spec/volumes")).filter(each -> each.has("emptyDir")))
        .extracting(each -> each.path("name").asText() + " " + each.at("/emptyDir/sizeLimit").asText())
        .containsExactlyInAnyOrder("data 10Gi", "tmp 256Mi");
    assertThat(lost.at("/template/spec/containers/0/resources/limits/ephemeral-storage").asText()).isEqualTo("11Gi");
    var web = manifests("apart", "Deployment").getLast().at("/spec/template/spec");
    assertThat(web.at("/containers/0/resources/limits/ephemeral-storage").asText()).isEqualTo("1Gi");
    assertThat(elements(web.path("volumes")).filter(each -> each.has("emptyDir")))
        .extracting(each -> each.path("name").asText() + " " + each.at("/emptyDir/sizeLimit").asText())
        .containsExactlyInAnyOrder("data 512Mi", "tmp 256Mi");
  }

  @Test
  void gateway_routesToTheService() {
    var route = manifests("certificate", "HTTPRoute").getFirst().path("spec");

    assertThat(route.at("/parentRefs/0/name").asText()).isEqualTo("public");
    assertThat(route.at("/hostnames/0").asText()).isEqualTo("tidemark.example.org");
    assertThat(route.at("/rules/0/backendRefs/0/name").asText()).isEqualTo("tm-tidemark");
    assertThat(route.at("/rules/0/backendRefs/0/port").asInt()).isEqualTo(8080);
    assertThat(manifests("everything", "HTTPRoute")).isEmpty();
  }

  /** Health and metrics of a pod that runs once and ends would be a failed scrape. */
  @Test
  void managementService_leadsToInstancesAndNotToThePodOfTheTest() throws Exception {
    var selector = manifests("apart", "Service").stream()
        .filter(each -> each.at("/metadata/name").asText().endsWith("-management"))
        .findFirst().orElseThrow().at("/spec/selector").properties();
    var instances = Stream.of("StatefulSet", "Deployment").flatMap(kind -> manifests("apart", kind).stream())
        .map(each -> each.at("/spec/template/metadata/labels").properties());

    assertThat(instances).hasSize(3).allSatisfy(labels -> assertThat(labels).containsAll(selector));
    assertThat(Chart.test(valueFile("apart"), folder).at("/metadata/labels").properties())
        .isNotEmpty().matches(labels -> !labels.containsAll(selector), "not selected");
  }

  @Test
  void newSecretsVersion_replacesPods() {
    var other = manifests(valueFile("everything"), Map.of("secretsVersion", "2026-04"));

    assertThat(workload(other).at("/spec/template/metadata/annotations/tidemark.io~1secrets-version").asText())
        .isEqualTo("2026-04");
    assertThat(workload("everything")
        .at("/spec/template/metadata/annotations/tidemark.io~1secrets-version").asText()).isEqualTo("2026-03");
  }

  @Test
  void webPortWithoutKeys_isRefusedUnlessReadingIsOpen() {
    assertThatThrownBy(() -> manifests(valueFile("together"), Map.of("web.anonymous", "none")))
        .hasMessageContaining("web.keys: nobody could read");
  }

  /** The default lets in nobody from outside of the namespace, where these readers come from. */
  @ParameterizedTest
  @CsvSource({"apart, ingress.enabled", "certificate, gateway.enabled", "everything, service.type"})
  void readersFromOutsideOfTheNamespace_haveToBeLetIn(String values, String how) throws IOException {
    var yaml = new YAMLMapper();
    var example = (ObjectNode) yaml.readTree(valueFile(values).toFile());
    ((ObjectNode) example.path("networkPolicy")).remove("web");
    var byDefault = folder.resolve("values.yaml");
    yaml.writeValue(byDefault.toFile(), example);

    assertThatThrownBy(() -> manifests(byDefault, Map.of()))
        .hasMessageContaining("networkPolicy.web: with " + how + ", readers come from outside");
    assertThat(manifests(byDefault, Map.of("networkPolicy.enabled", "false"))).isNotEmpty()
        .noneMatch(each -> each.path("kind").asText().equals("NetworkPolicy"));
    assertThat(manifests(values, "NetworkPolicy").getFirst().at("/spec/ingress/0/from"))
        .anyMatch(peer -> peer.has("namespaceSelector") || peer.has("ipBlock"));
  }

  /** Kubernetes makes labels of pods from the name of a StatefulSet; those of longer names are refused. */
  @Test
  void nameThatIsTooLongForAStatefulSet_isRefused() {
    var name = "a".repeat(52);

    assertThatThrownBy(() -> manifests(
        valueFile("apart"), Map.of("fullnameOverride", name, "persistence.enabled", "true")))
        .hasMessageContaining("has 57 characters; with more than 52, its pods cannot be created");
    assertThat(manifests(valueFile("apart"), Map.of("fullnameOverride", name)))
        .filteredOn(each -> each.path("kind").asText().equals("Service")).isNotEmpty()
        .allSatisfy(each -> assertThat(each.at("/metadata/name").asText()).hasSizeLessThanOrEqualTo(63));
  }

  @Test
  void severalReplicasWithKeys_needASharedSecret() {
    assertThatThrownBy(() -> manifests(valueFile("apart"), Map.of("web.sessionSecret.name", "")))
        .hasMessageContaining("web.sessionSecret.name: with several replicas");
    assertThatThrownBy(() -> manifests(valueFile("apart"), Map.of(
        "web.sessionSecret.name", "", "roles.web.replicas", "1", "roles.web.autoscaling.enabled", "true")))
        .hasMessageContaining("web.sessionSecret.name: with several replicas");
  }

  @Test
  void testOfARelease_checksWithTheVariablesAndFilesOfItsPods() throws IOException {
    var pod = Chart.test(valueFile("everything"), folder);
    var workload = workload("everything").at("/spec/template/spec/containers/0");

    var check = pod.at("/spec/containers/0");
    assertThat(elements(check.path("env")).map(each -> each.path("name").asText())).contains("NODE");
    assertThat(check.path("volumeMounts")).isEqualTo(workload.path("volumeMounts"));
    assertThat(pod.at("/spec/containers")).as("a sidecar would never end").hasSize(2);
    assertThat(elements(pod.at("/spec/volumes")).map(each -> each.path("name").asText())).contains("templates");
  }

  @Test
  void everyVariable_comesFromAnExistingSecret() {
    var container = workload("apart").at("/spec/template/spec/containers/0");

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
    assertThat(manifests("apart", "Deployment")).extracting(ChartTest::role).containsExactly(
        "tm-tidemark-poll 3 --only poll", "tm-tidemark-stream 2 --only stream", "tm-tidemark-web 0 --only web");
    assertThat(manifests("apart", "StatefulSet")).isEmpty();
  }

  /** With the same names and labels: an upgrade from one kind to the other exchanges the pods. */
  @Test
  void rolesWithVolumes_areStatefulSets() {
    var kept = manifests(valueFile("apart"), Map.of("persistence.enabled", "true"));
    var lost = manifests(valueFile("apart"), Map.of());

    assertThat(kept.stream().filter(ChartTest::isWorkload)).extracting(ChartTest::kindAndName)
        .containsExactlyInAnyOrder(
            "StatefulSet tm-tidemark-poll", "StatefulSet tm-tidemark-stream", "Deployment tm-tidemark-web");
    assertThat(kept.stream().filter(each -> each.path("kind").asText().equals("StatefulSet")))
        .allSatisfy(each -> {
          assertThat(each.at("/spec/volumeClaimTemplates/0/metadata/name").asText()).isEqualTo("data");
          assertThat(elements(each.at("/spec/template/spec/volumes")))
              .noneMatch(volume -> volume.path("name").asText().equals("data"));
        });
    assertThat(lost.stream().filter(ChartTest::isWorkload)).allSatisfy(each -> {
      assertThat(each.path("spec").has("volumeClaimTemplates")).isFalse();
      assertThat(each.path("spec").has("serviceName")).isFalse();
      assertThat(each.at("/spec/strategy/rollingUpdate/maxUnavailable").asInt(1)).isZero();
    });
    assertThat(kept.stream().filter(ChartTest::isWorkload).map(each -> each.at("/spec/selector")))
        .containsExactlyInAnyOrderElementsOf(
            lost.stream().filter(ChartTest::isWorkload).map(each -> each.at("/spec/selector")).toList());
  }

  @Test
  void web_scalesByItself_behindAServiceAndAnIngress() {
    var web = manifests("apart", "Deployment").getLast();
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
    assertThat(service.at("/spec/ports/0/appProtocol").asText()).as("with TLS").isEqualTo("https");
    assertThat(manifests("together", "Service").getFirst().at("/spec/ports/0/appProtocol").asText()).isEqualTo("http");
    assertThat(ingress.at("/rules/0/host").asText()).isEqualTo("tidemark.example.org");
    assertThat(ingress.at("/rules/0/http/paths/0/backend/service/name").asText()).isEqualTo("tm-tidemark");
    assertThat(manifests("together", "Ingress")).isEmpty();
    assertThat(manifests("together", "HorizontalPodAutoscaler")).isEmpty();
  }

  @Test
  void autoscalingThatWouldDoNothing_isRefused() {
    assertThatThrownBy(() -> manifests(valueFile("together"), Map.of("roles.web.autoscaling.enabled", "true")))
        .hasMessageContaining("roles.web.autoscaling: only the role web scales by itself, with roles.apart");
    assertThatThrownBy(() -> manifests(valueFile("apart"), Map.of("roles.web.autoscaling.maxReplicas", "3")))
        .hasMessageContaining("roles.web.autoscaling.maxReplicas: 3 is less than roles.web.replicas, 4");
    assertThat(manifests(valueFile("apart"), Map.of("roles.web.autoscaling.maxReplicas", "4"))).isNotEmpty();
  }

  @Test
  void combinedRoles_areOneWorkload() {
    assertThat(manifests("together", "Deployment")).extracting(ChartTest::role)
        .containsExactly("tm-tidemark-together 2");
    assertThat(manifests("everything", "StatefulSet")).extracting(ChartTest::role)
        .containsExactly("tm-tidemark-together 3");
  }

  @Test
  void changedConfiguration_replacesPods() {
    var before = workload("together");
    var same = manifests(valueFile("together"), Map.of("podDisruptionBudget.maxUnavailable", "2"));
    var other = manifests(valueFile("together"), Map.of("config.topics.partitions", "7"));

    assertThat(checksum(before)).isNotBlank().isEqualTo(checksum(workload(same)));
    assertThat(checksum(workload(other))).isNotEqualTo(checksum(before));
  }

  @Test
  void pods_haveMinimalRights() {
    var pod = workload("together").at("/spec/template/spec");
    var container = pod.at("/containers/0");

    assertThat(pod.at("/automountServiceAccountToken").asBoolean(true)).isFalse();
    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(container.at("/securityContext/capabilities/drop/0").asText()).isEqualTo("ALL");
  }

  /** OpenShift chooses users, and refuses pods that name others. */
  @Test
  void usersOfAPlatform_areNotNamed() throws IOException {
    var pod = workload("certificate").at("/spec/template/spec/securityContext");
    var set = workload(manifests(valueFile("together"), Map.of("podSecurityContext.runAsUser", "null")));

    assertThat(pod.propertyStream().map(Map.Entry::getKey)).containsExactly("runAsNonRoot", "seccompProfile");
    assertThat(Chart.test(valueFile("certificate"), folder).at("/spec/securityContext")).isEqualTo(pod);
    assertThat(set.at("/spec/template/spec/securityContext").has("runAsUser")).isFalse();
    assertThat(set.at("/spec/template/spec/securityContext/fsGroup").asInt()).isEqualTo(10001);
  }

  @Test
  void probes_useTheManagementPort_andStartupIsOneOfItsOwn() {
    var container = workload("together").at("/spec/template/spec/containers/0");

    assertThat(
        container.at("/startupProbe/failureThreshold").asInt() * container.at("/startupProbe/periodSeconds").asInt())
        .isEqualTo(600);
    assertThat(container.at("/startupProbe/httpGet"))
        .hasToString("{\"path\":\"/health/started\",\"port\":\"management\"}");
    assertThat(container.at("/readinessProbe/httpGet"))
        .hasToString("{\"path\":\"/health/ready\",\"port\":\"management\"}");
    assertThat(container.at("/livenessProbe/httpGet"))
        .hasToString("{\"path\":\"/health/live\",\"port\":\"management\"}");
  }

  @Test
  void podsWithReaders_drainBeforeTheyStop() {
    var roles = manifests("apart", "Deployment").stream()
        .collect(Collectors.toMap(each -> each.at("/metadata/name").asText(), ChartTest::lifecycle));
    var without = workload(manifests(valueFile("together"), Map.of("drainSeconds", "0")));

    assertThat(roles.get("tm-tidemark-web"))
        .hasToString("{\"preStop\":{\"exec\":{\"command\":[\"/bin/sleep\",\"10\"]}}}");
    assertThat(roles.get("tm-tidemark-poll").isMissingNode()).isTrue();
    assertThat(roles.get("tm-tidemark-stream").isMissingNode()).isTrue();
    assertThat(lifecycle(without).isMissingNode()).isTrue();
    assertThat(lifecycle(workload("everything")).at("/preStop/exec/command/1").asText()).as("of its values")
        .isEqualTo("20");
  }

  @Test
  void drainThatLeavesNoTimeToStop_isRefused() {
    assertThatThrownBy(() -> manifests(valueFile("together"), Map.of("drainSeconds", "30")))
        .hasMessageContaining("terminationGracePeriodSeconds: 40 is less than drainSeconds and 15 s to stop");
    assertThat(manifests(valueFile("together"),
        Map.of("drainSeconds", "30", "terminationGracePeriodSeconds", "45"))).isNotEmpty();
  }

  private static JsonNode lifecycle(JsonNode workload) {
    return workload.at("/spec/template/spec/containers/0/lifecycle");
  }

  @Test
  void managementPort_admitsPodsOfTheReleaseAndPrometheus() {
    var from = manifests("together", "NetworkPolicy").getFirst().at("/spec/ingress/1");

    assertThat(from.at("/ports/0/port").asText()).isEqualTo("management");
    assertThat(elements(from.path("from"))).extracting(JsonNode::toString).containsExactly(
        "{\"podSelector\":{\"matchLabels\":{\"app.kubernetes.io/instance\":\"tm\",\"app.kubernetes.io/name\":\"tidemark\"}}}",
        "{\"namespaceSelector\":{\"matchLabels\":{\"kubernetes.io/metadata.name\":\"monitoring\"}}}");
  }

  @Test
  void egress_isOpenByDefault_andNarrowedByRules() {
    var open = manifests("together", "NetworkPolicy").getFirst().path("spec");
    var narrow = manifests("everything", "NetworkPolicy").getFirst().path("spec");

    assertThat(open.path("policyTypes")).hasToString("[\"Ingress\"]");
    assertThat(narrow.path("policyTypes")).hasToString("[\"Ingress\",\"Egress\"]");
    assertThat(elements(narrow.path("egress"))).extracting(each -> each.at("/ports/0/port").asInt())
        .containsExactly(53, 9090, 9094, 443);
    assertThat(narrow.at("/egress/0/to/0/namespaceSelector/matchLabels/kubernetes.io~1metadata.name").asText())
        .isEqualTo("kube-system");
  }

  @Test
  void spreadOfTheValues_standsInsteadOfThatOfTheChart() {
    var spread = workload("everything").at("/spec/template/spec/topologySpreadConstraints");

    assertThat(elements(spread)).extracting(each -> each.path("topologyKey").asText()).containsExactly("rack");
    assertThat(spread.at("/0/minDomains").asInt()).isEqualTo(2);
    assertThat(spread.at("/0/labelSelector/matchLabels/app.kubernetes.io~1component").asText()).isEqualTo("together");
    assertThat(elements(workload("together").at("/spec/template/spec/topologySpreadConstraints")))
        .extracting(each -> each.path("topologyKey").asText())
        .containsExactly("topology.kubernetes.io/zone", "kubernetes.io/hostname");
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
    assertThat(manifests("everything", "PrometheusRule").getFirst().at("/spec/groups").findValues("labels"))
        .as("whose alert it is").hasSizeGreaterThan(20).allSatisfy(labels -> {
          assertThat(labels.path("release").asText()).isEqualTo("tm");
          assertThat(labels.path("namespace").asText()).isNotBlank();
          assertThat(labels.path("severity").asText()).isIn("critical", "warning", "info");
        });
    assertThat(manifests("everything", "ConfigMap")).filteredOn(each -> each.at("/data").has("tidemark.json"))
        .hasSize(1);
  }

  /** A path alone would lead to a page of Prometheus or Alertmanager that is not there. */
  @Test
  void runbooks_areLinkedWhereTheyAreServed() {
    var served = manifests(valueFile("everything"), Map.of("prometheusRule.runbooks", "https://example.org/"));

    assertThat(rules(served).findValuesAsText("runbook_url")).hasSizeGreaterThan(20)
        .allSatisfy(link -> assertThat(link).startsWith("https://example.org/docs/running/runbooks.md#tidemark"));
    var rules = rules(manifests(valueFile("everything"), Map.of()));
    assertThat(rules.findValuesAsText("summary")).hasSizeGreaterThan(20);
    assertThat(rules.findValues("runbook_url")).isEmpty();
  }

  private static JsonNode rules(List<JsonNode> manifests) {
    return manifests.stream().filter(each -> each.path("kind").asText().equals("PrometheusRule")).findFirst()
        .orElseThrow().at("/spec/groups");
  }

  @Test
  void helmTest_runsCheckAndReadiness() throws Exception {
    var pod = Chart.test(valueFile("apart"), folder);

    Kubernetes.check(pod);
    assertThat(elements(pod.at("/spec/containers"))).extracting(each -> each.path("name").asText())
        .containsExactly("check", "ready");
  }

  /** As a container of these values gets it: plain, or of a secret. */
  private static @Nullable String variable(String values, String name) {
    return elements(workload(values).at("/spec/template/spec/containers/0/env"))
        .filter(each -> each.path("name").asText().equals(name))
        .map(each -> each.has("valueFrom") ? SECRETS.get(name) : each.path("value").asText())
        .findFirst()
        .orElse(null);
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

  private static JsonNode workload(String values) {
    return workload(manifests(valueFile(values), Map.of()));
  }

  private static JsonNode workload(List<JsonNode> manifests) {
    return manifests.stream().filter(ChartTest::isWorkload).findFirst().orElseThrow();
  }

  private static boolean isWorkload(JsonNode manifest) {
    return List.of("StatefulSet", "Deployment").contains(manifest.path("kind").asText());
  }

  private static String kindAndName(JsonNode manifest) {
    return manifest.path("kind").asText() + " " + manifest.at("/metadata/name").asText();
  }

  private static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
