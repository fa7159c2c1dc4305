package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a shipped rule found about a pool. */
record Finding(String rule, String severity, Subject subject, Instant at, String summary, List<Evidence> evidence) {

  /**
   * What a finding is about.
   *
   * @param list the ranking it is about too, null where it is about the pool alone; part of the fingerprint
   */
  record Subject(String pool, @Nullable String network, @Nullable String dex, @Nullable String list) {

    private Map<String, String> labels() {
      var labels = new TreeMap<String, String>();
      label(labels, "network", network);
      label(labels, "dex", dex);
      label(labels, "list", list);
      return labels;
    }

    private static void label(Map<String, String> labels, String name, @Nullable String value) {
      if (value != null) {
        labels.put(name, Wording.name(value));
      }
    }
  }

  /** The alert that tells of it. */
  Alert alert() {
    var alert = new Alert();
    alert.setId(String.join("/", rule, fingerprint(), Long.toString(at.toEpochMilli())));
    alert.setRule(rule);
    alert.setRuleVersion(1);
    alert.setKind("event");
    alert.setStatus("fired");
    alert.setFingerprint(fingerprint());
    alert.setSeverity(severity);
    alert.setSubject(subject.pool);
    alert.setSummary(summary);
    alert.setEventTime(at);
    alert.setLabels(subject.labels());
    alert.setAnnotations(Map.of());
    alert.setEvidence(evidence);
    return alert;
  }

  /** 64 bits over rule, pool and list: the same for every firing about them, in every version. */
  private String fingerprint() {
    var trouble = String.join("\0", rule, subject.pool, subject.list == null ? "" : subject.list);
    return HexFormat.of().formatHex(sha256(trouble), 0, 8);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
