package io.tidemark.cli.print;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.topic.RecordJson;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;

/** The values of some names of the vocabulary of conditions, in records of it. */
public record SelectedFields(Vocabulary vocabulary, List<String> names) {

  private static final int LONGEST_TEXT = 2_000;

  /** As JSON, in the order of the names. */
  public ObjectNode json(SpecificRecord record) {
    var json = JsonNodeFactory.instance.objectNode();
    names.forEach(name -> json.set(name, RecordJson.value(vocabulary.value(name, record))));
    return json;
  }

  /** As text between tabs; times as ISO 8601, a missing value as nothing. */
  public String text(SpecificRecord record) {
    return names.stream()
        .map(name -> switch (vocabulary.value(name, record)) {
          case null -> "";
          case Number number -> new BigDecimal(number.toString()).toPlainString();
          case Instant at -> at.toString();
          case Map<?, ?> map -> RecordJson.value(map).toString();
          case List<?> list -> RecordJson.value(list).toString();
          case Object other -> TerminalText.text(other.toString(), LONGEST_TEXT);
        })
        .collect(Collectors.joining("\t"));
  }
}
