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

/** One trouble has one fingerprint: 64 bits over rule, key and what tells troubles of one key apart; no versions. */
final class AlertFingerprint {

  private AlertFingerprint() {}

  static String of(Rule rule, String key, SpecificRecord record, Vocabulary vocabulary) {
    var parts = rule.once().stream().map(path -> String.valueOf(vocabulary.value(path, record)));
    return of(Stream.concat(Stream.of(rule.name(), key), parts));
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
