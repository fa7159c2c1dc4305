package io.tidemark.helm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What platform teams check of manifests before they take them: the rules of kube-linter, under its names. */
class ChartRulesTest {

  /** Containers of the chart; sidecars are those of its user. */
  private static final Set<String> CONTAINERS = Set.of("tidemark", "check", "ready");
  private static final Set<String> WORKLOADS = Set.of("Deployment", "StatefulSet");

  /** By value file, with the pod of {@code helm test}. */
  private static final Map<String, List<JsonNode>> RENDERED = new HashMap<>();

  static final List<Rule> RULES = List.of(
      // the image
      container("latest-tag",
          each -> each.path("image").asText().matches(".+(@sha256:[0-9a-f]{64}|:(?!latest$)[^/:]+)"),
          set("image", "tidemark:latest")),
      // rights
      container("privileged-container", each -> !each.at("/securityContext/privileged").asBoolean(),
          security("privileged", true)),
      container("privilege-escalation-container",
          each -> !each.at("/securityContext/allowPrivilegeEscalation").asBoolean(true),
          security("allowPrivilegeEscalation", true)),
      container("no-read-only-root-fs", each -> each.at("/securityContext/readOnlyRootFilesystem").asBoolean(),
          security("readOnlyRootFilesystem", false)),
      container("drop-net-raw-capability",
          each -> each.at("/securityContext/capabilities/drop").toString().equals("[\"ALL\"]"),
          each -> ((ObjectNode) each.path("securityContext")).remove("capabilities")),
      container("unsafe-proc-mount", each -> !each.path("securityContext").has("procMount"),
          security("procMount", "Unmasked")),
      pod("run-as-non-root", each -> each.at("/securityContext/runAsNonRoot").asBoolean(),
          each -> each.remove("securityContext")),
      pod("seccomp", each -> each.at("/securityContext/seccompProfile/type").asText().equals("RuntimeDefault"),
          each -> each.remove("securityContext")),
      pod("unsafe-sysctls", each -> !each.path("securityContext").has("sysctls"),
          each -> ((ObjectNode) each.path("securityContext")).putArray("sysctls")),
      // the node
      pod("host-network", each -> !each.path("hostNetwork").asBoolean(), each -> each.put("hostNetwork", true)),
      pod("host-pid", each -> !each.path("hostPID").asBoolean(), each -> each.put("hostPID", true)),
      pod("host-ipc", each -> !each.path("hostIPC").asBoolean(), each -> each.put("hostIPC", true)),
      pod("sensitive-host-mounts", each -> each.path("volumes").valueStream().noneMatch(some -> some.has("hostPath")),
          each -> ((ObjectNode) each.at("/volumes/0")).putObject("hostPath").put("path", "/var/run/docker.sock")),
      container("exposed-host-port", each -> each.path("ports").valueStream().noneMatch(port -> port.has("hostPort")),
          each -> ((ObjectNode) each.at("/ports/0")).put("hostPort", 8080)),
      container("privileged-ports",
          each -> each.path("ports").valueStream().allMatch(port -> port.path("containerPort").asInt() >= 1024),
          each -> ((ObjectNode) each.at("/ports/0")).put("containerPort", 80)),
      container("ssh-port",
          each -> each.path("ports").valueStream().noneMatch(port -> port.path("containerPort").asInt() == 22),
          each -> ((ObjectNode) each.at("/ports/0")).put("containerPort", 22)),
      // secrets and the account
      container("env-var-secret", each -> each.path("env").valueStream()
          .noneMatch(
              some -> some.has("value") && some.path("name").asText().matches(".*(PASSWORD|SECRET|TOKEN|_KEY).*")),
          each -> ((ObjectNode) each.at("/env/0")).put("name", "A_PASSWORD")),
      container("duplicate-env-var", each -> isDistinct(each.path("env"), "name"),
          each -> ((ObjectNode) each.at("/env/1")).put("name", each.at("/env/0/name").asText())),
      pod("default-service-account", each -> !each.path("serviceAccountName").asText("default").equals("default"),
          each -> each.remove("serviceAccountName")),
      pod("deprecated-service-account-field", each -> !each.has("serviceAccount"),
          each -> each.put("serviceAccount", "tidemark")),
      pod("automounted-token", each -> !each.path("automountServiceAccountToken").asBoolean(true),
          each -> each.remove("automountServiceAccountToken")),
      all("non-existent-service-account", all -> names(all, "ServiceAccount")
          .containsAll(pods(all).map(each -> each.path("serviceAccountName").asText()).toList()),
          all -> all.removeIf(each -> isKind(each, "ServiceAccount"))),
      all("wildcard-in-rules", all -> all.stream().noneMatch(each -> each.path("kind").asText().endsWith("Role")),
          all -> kind(all, "ServiceAccount").put("kind", "ClusterRole")),
      // resources
      container("unset-cpu-requirements", each -> each.at("/resources/requests").has("cpu"),
          each -> ((ObjectNode) each.at("/resources/requests")).remove("cpu")),
      container("unset-memory-requirements",
          each -> each.at("/resources/requests").has("memory") && each.at("/resources/limits").has("memory"),
          each -> ((ObjectNode) each.at("/resources/limits")).remove("memory")),
      pod("unbounded-empty-dir", each -> each.path("volumes").valueStream()
          .filter(some -> some.has("emptyDir")).allMatch(some -> some.path("emptyDir").has("sizeLimit")),
          each -> each.path("volumes").valueStream().filter(some -> some.has("emptyDir"))
              .forEach(some -> ((ObjectNode) some.path("emptyDir")).remove("sizeLimit"))),
      // the life of a pod
      workload("no-liveness-probe", each -> probe(each, "liveness").endsWith("/health/live"), removeProbe("liveness")),
      workload("no-readiness-probe", each -> probe(each, "readiness").endsWith("/health/ready"),
          removeProbe("readiness")),
      workload("no-startup-probe", each -> probe(each, "startup").endsWith("/health/started"), removeProbe("startup")),
      workload("liveness-port", each -> probe(each, "liveness").startsWith("management "),
          each -> ((ObjectNode) container(each).at("/livenessProbe/httpGet")).put("port", "admin")),
      workload("no-drain-before-the-port-closes",
          each -> !isServed(each) || container(each).at("/lifecycle/preStop").isObject(),
          each -> container(each).remove("lifecycle")),
      workload("short-termination-grace-period",
          each -> drain(each) + 15 <= each.at("/spec/template/spec/terminationGracePeriodSeconds").asInt(),
          each -> ((ObjectNode) each.at("/spec/template/spec")).put("terminationGracePeriodSeconds", 10)),
      workload("minimum-replicas", each -> each.at("/spec/replicas").asInt(2) > 1,
          each -> ((ObjectNode) each.path("spec")).put("replicas", 1)),
      workload("no-anti-affinity", each -> each.at("/spec/template/spec/topologySpreadConstraints").valueStream()
          .anyMatch(some -> isPartOf(some.at("/labelSelector/matchLabels"), labels(each))),
          each -> ((ObjectNode) each.at("/spec/template/spec")).remove("topologySpreadConstraints")),
      workload("no-rolling-update-strategy", each -> isKind(each, "StatefulSet")
          || each.at("/spec/strategy/type").asText().equals("RollingUpdate"),
          each -> ((ObjectNode) each.at("/spec/strategy")).put("type", "Recreate")),
      all("pdb-max-unavailable", all -> workloads(all).allMatch(each -> kinds(all, "PodDisruptionBudget")
          .anyMatch(some -> some.at("/spec/maxUnavailable").asInt() > 0
              && isPartOf(some.at("/spec/selector/matchLabels"), labels(each)))),
          all -> all.removeIf(each -> isKind(each, "PodDisruptionBudget"))),
      all("pdb-unhealthy-pod-eviction-policy", all -> kinds(all, "PodDisruptionBudget")
          .allMatch(each -> each.at("/spec/unhealthyPodEvictionPolicy").asText().equals("AlwaysAllow")),
          all -> ((ObjectNode) kind(all, "PodDisruptionBudget").path("spec")).remove("unhealthyPodEvictionPolicy")),
      // what belongs together
      workload("mismatching-selector", each -> isPartOf(each.at("/spec/selector/matchLabels"), labels(each)),
          each -> ((ObjectNode) each.at("/spec/selector/matchLabels")).put("app", "another")),
      all("dangling-service", all -> kinds(all, "Service").allMatch(
          service -> workloads(all).anyMatch(each -> isPartOf(service.at("/spec/selector"), labels(each)))),
          all -> ((ObjectNode) kind(all, "Service").at("/spec/selector")).put("app", "another")),
      all("invalid-target-ports", all -> kinds(all, "Service").flatMap(each -> each.at("/spec/ports").valueStream())
          .allMatch(port -> Set.of("web", "management").contains(port.path("targetPort").asText())),
          all -> ((ObjectNode) kind(all, "Service").at("/spec/ports/0")).put("targetPort", "http")),
      all("dangling-horizontalpodautoscaler", all -> kinds(all, "HorizontalPodAutoscaler").allMatch(
          each -> names(all, "Deployment").contains(each.at("/spec/scaleTargetRef/name").asText())),
          all -> kinds(all, "HorizontalPodAutoscaler").findFirst().ifPresentOrElse(
              each -> ((ObjectNode) each.at("/spec/scaleTargetRef")).put("name", "another"),
              () -> kind(all, "Service").put("kind", "HorizontalPodAutoscaler"))),
      all("use-namespace", all -> all.stream()
          .noneMatch(each -> Set.of("default", "kube-system").contains(each.at("/metadata/namespace").asText())),
          all -> ((ObjectNode) kind(all, "Service").path("metadata")).put("namespace", "default")),
      // the network
      all("non-isolated-pod", all -> Stream.concat(workloads(all).map(ChartRulesTest::labels),
          kinds(all, "Pod").map(each -> each.at("/metadata/labels"))).allMatch(
              pod -> kinds(all, "NetworkPolicy")
                  .anyMatch(each -> isPartOf(each.at("/spec/podSelector/matchLabels"), pod))),
          all -> all.removeIf(each -> isKind(each, "NetworkPolicy"))),
      all("management-port-open-to-the-cluster", all -> kinds(all, "NetworkPolicy")
          .flatMap(each -> each.at("/spec/ingress").valueStream())
          .filter(each -> each.toString().contains("management"))
          .allMatch(each -> !each.path("from").isEmpty() && each.path("from").valueStream()
              .noneMatch(
                  peer -> peer.path("namespaceSelector").isObject() && peer.path("namespaceSelector").isEmpty())),
          all -> ((ObjectNode) kind(all, "NetworkPolicy").at("/spec/ingress/1/from/1"))
              .putObject("namespaceSelector")));

  /**
   * A rule about manifests.
   *
   * @param isKept of a whole release
   * @param breaking changes a release so that it breaks the rule: a predicate that is always true would go unnoticed
   */
  record Rule(String name, Predicate<List<JsonNode>> isKept, Consumer<List<JsonNode>> breaking) {

    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeAll
  static void render(@TempDir Path folder) throws IOException {
    for (var values : Chart.valueFiles()) {
      var name = values.getFileName().toString();
      var manifests = new ArrayList<>(Chart.manifests(values, Map.of()));
      manifests.add(Chart.test(values, folder.resolve(name)));
      RENDERED.put(name, manifests);
    }
  }

  @ParameterizedTest
  @FieldSource("RULES")
  void everyRelease_keepsTheRule(Rule rule) {
    assertThat(RENDERED).hasSize(4);
    assertThat(RENDERED.entrySet().stream().filter(each -> !rule.isKept().test(each.getValue())).map(Map.Entry::getKey))
        .as("value files whose release breaks it").isEmpty();
  }

  @ParameterizedTest
  @FieldSource("RULES")
  void releaseThatBreaksTheRule_isFound(Rule rule) {
    var manifests = RENDERED.get("together-values.yaml").stream().map(JsonNode::<JsonNode>deepCopy)
        .collect(Collectors.toCollection(ArrayList::new));

    rule.breaking().accept(manifests);

    assertThat(rule.isKept().test(manifests)).isFalse();
  }

  @Test
  void ruleNames_areDistinct() {
    assertThat(RULES).extracting(Rule::name).doesNotHaveDuplicates();
  }

  private static Rule all(String name, Predicate<List<JsonNode>> isKept, Consumer<List<JsonNode>> breaking) {
    return new Rule(name, isKept, breaking);
  }

  private static Rule workload(String name, Predicate<JsonNode> isKept, Consumer<JsonNode> breaking) {
    return new Rule(name, all -> workloads(all).allMatch(isKept),
        all -> breaking.accept(workloads(all).findFirst().orElseThrow()));
  }

  private static Rule pod(String name, Predicate<JsonNode> isKept, Consumer<ObjectNode> breaking) {
    return new Rule(name, all -> pods(all).allMatch(isKept),
        all -> breaking.accept((ObjectNode) pods(all).findFirst().orElseThrow()));
  }

  private static Rule container(String name, Predicate<JsonNode> isKept, Consumer<ObjectNode> breaking) {
    return new Rule(name, all -> pods(all).flatMap(each -> each.path("containers").valueStream())
        .filter(each -> CONTAINERS.contains(each.path("name").asText())).allMatch(isKept),
        all -> breaking.accept(container(workloads(all).findFirst().orElseThrow())));
  }

  private static Consumer<ObjectNode> set(String field, String value) {
    return container -> container.put(field, value);
  }

  private static Consumer<ObjectNode> security(String field, boolean value) {
    return container -> ((ObjectNode) container.path("securityContext")).put(field, value);
  }

  private static Consumer<ObjectNode> security(String field, String value) {
    return container -> ((ObjectNode) container.path("securityContext")).put(field, value);
  }

  private static Consumer<JsonNode> removeProbe(String kind) {
    return workload -> container(workload).remove(kind + "Probe");
  }

  /** Its port and path. */
  private static String probe(JsonNode workload, String kind) {
    var probe = container(workload).path(kind + "Probe").path("httpGet");
    return probe.path("port").asText() + " " + probe.path("path").asText();
  }

  /** Whether readers are led to its web port. */
  private static boolean isServed(JsonNode workload) {
    return Set.of("web", "together").contains(labels(workload).path("app.kubernetes.io/component").asText());
  }

  /** Seconds for which a pod goes on before it is told to stop. */
  private static int drain(JsonNode workload) {
    return container(workload).at("/lifecycle/preStop/exec/command/1").asInt(0);
  }

  private static ObjectNode container(JsonNode workload) {
    return (ObjectNode) workload.at("/spec/template/spec/containers/0");
  }

  private static JsonNode labels(JsonNode workload) {
    return workload.at("/spec/template/metadata/labels");
  }

  private static boolean isPartOf(JsonNode selector, JsonNode labels) {
    return !selector.isEmpty() && selector.propertyStream()
        .allMatch(each -> Objects.equals(labels.get(each.getKey()), each.getValue()));
  }

  private static boolean isDistinct(JsonNode list, String field) {
    return list.valueStream().map(each -> each.path(field).asText()).distinct().count() == list.size();
  }

  /** The specifications of all pods, of workloads first. */
  private static Stream<JsonNode> pods(List<JsonNode> all) {
    return Stream.concat(workloads(all).map(each -> each.at("/spec/template/spec")),
        kinds(all, "Pod").map(each -> each.path("spec")));
  }

  private static Stream<JsonNode> workloads(List<JsonNode> all) {
    return all.stream().filter(each -> WORKLOADS.contains(each.path("kind").asText()));
  }

  private static Stream<JsonNode> kinds(List<JsonNode> all, String kind) {
    return all.stream().filter(each -> isKind(each, kind));
  }

  private static ObjectNode kind(List<JsonNode> all, String kind) {
    return (ObjectNode) kinds(all, kind).findFirst().orElseThrow();
  }

  private static boolean isKind(JsonNode manifest, String kind) {
    return manifest.path("kind").asText().equals(kind);
  }

  private static List<String> names(List<JsonNode> all, String kind) {
    return kinds(all, kind).map(each -> each.at("/metadata/name").asText()).toList();
  }
}
