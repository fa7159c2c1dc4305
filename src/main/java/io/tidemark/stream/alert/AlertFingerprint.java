package io.tidemark.stream.alert;

import io.tidemark.rule.Rule;
import io.tidemark.rule.expression.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;

/**
 * The fingerprint of an alert instance: 64 bits over the rule's name, the record's key and the values of {@code once};
 * the same for all versions of rule and program.
 */
final class AlertFingerprint {

  private AlertFingerprint() {}

  static String of(Rule rule, String key, SpecificRecord record, Vocabulary vocabulary) {
    var values = rule.once().stream().map(path -> String.valueOf(vocabulary.value(path, record)));
    return of(Stream.concat(Stream.of(rule.name(), key), values));
  }

  static String of(Stream<String> parts) {
    var bytes = parts.collect(Collectors.joining("\0")).getBytes(StandardCharsets.UTF_8);
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
