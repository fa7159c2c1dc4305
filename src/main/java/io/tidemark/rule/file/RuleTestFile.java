package io.tidemark.rule.file;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.DurationFormat;
import io.tidemark.event.NameSuggestion;
import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.yaml.YamlSection;
import io.tidemark.yaml.YamlValue;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** A file of tests of rules: the rules, and for each test the records and the alerts that the rules fire on them. */
public record RuleTestFile(RuleSet rules, List<RuleTest> tests) {

  /** Time from which durations in tests count. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<Schema.Type> STRUCTURED = Set.of(Schema.Type.RECORD, Schema.Type.ARRAY, Schema.Type.MAP);

  /** One test. Its records are in order of time. */
  public record RuleTest(String name, List<TimedRecord> records, List<ExpectedAlert> alerts) {

    /** Returns the time of the last record or expected alert. */
    public Instant end() {
      return Stream.concat(records.stream().map(TimedRecord::at), alerts.stream().map(ExpectedAlert::at))
          .max(Instant::compareTo).orElseThrow();
    }
  }

  /** A record of a topic, which is named without prefix. */
  public record TimedRecord(String topic, String key, SpecificRecord value, Instant at) {}

  /**
   * An expected alert. The actual alert may have more labels.
   *
   * @param silenced name of the mute that mutes the alert; null if none does
   */
  public record ExpectedAlert(Instant at, String rule, String key, String status, Map<String, String> labels,
      @Nullable String silenced) {}

  /**
   * Reads a file of tests.
   *
   * @param topics topics that rules may be on: names without prefix, each with the schema of its records
   * @param inputs the topics that may have records
   * @throws io.tidemark.yaml.YamlException if the tests cannot be read
   * @throws RuleException if the rules cannot be read
   */
  public static RuleTestFile read(RuleDocument document, Map<String, Schema> topics, List<String> inputs) {
    var file = YamlSection.parse(document.name(), document.text(), null).only("rules", "mutes", "rule_files", "tests");
    var documents = new ArrayList<RuleDocument>();
    file.values("rule_files").forEach(
        each -> documents.add(new RuleDocument(file.file(each).toString(), file.fileText(each))));
    if (file.has("rules") || file.has("mutes")) {
      documents.add(document);
    }
    var rules = RuleSetReader.readTested(documents, topics);
    var tests = file.sections("tests");
    if (documents.isEmpty() || tests.isEmpty()) {
      throw file.invalid("nothing to test: a file of tests has 'rule_files' or 'rules', and 'tests'");
    }
    return new RuleTestFile(
        rules, tests.stream().map(each -> new RuleTestReader(each, topics, inputs).test(rules)).toList());
  }

  /** Reads one test. A record without topic or key has that of the record before. */
  private static final class RuleTestReader {
    private final YamlSection in;
    private final Map<String, Schema> topics;
    private final List<String> inputs;
    private final Map<String, KnownValues> known = new HashMap<>();
    private final Map<String, Instant> times = new HashMap<>();
    private @Nullable YamlValue lastTopic;
    private @Nullable YamlValue lastKey;

    /** The values of one topic and key after the last record: as JSON by their names, and the facets. */
    private record KnownValues(ObjectNode json, Map<String, @Nullable IndexedRecord> facets) {}

    RuleTestReader(YamlSection in, Map<String, Schema> topics, List<String> inputs) {
      this.in = in.only("name", "records", "recorded", "alerts");
      this.topics = topics;
      this.inputs = inputs;
    }

    RuleTest test(RuleSet rules) {
      var records = Stream.concat(in.sections("records").stream().map(this::record), recorded())
          .sorted(Comparator.comparing(TimedRecord::at))
          .toList();
      if (records.isEmpty()) {
        throw in.invalid("records", "no records: write 'records', or name a file of records with 'recorded'");
      }
      return new RuleTest(in.required("name").text(), records,
          in.sections("alerts").stream().map(each -> alert(each, rules)).toList());
    }

    private static ExpectedAlert alert(YamlSection alert, RuleSet rules) {
      alert.only("at", "rule", "key", "status", "labels", "silenced");
      var rule = rules.find(alert.required("rule").text());
      if (rule == null) {
        throw alert.invalid("rule", "no rule has this name; " + NameSuggestion.suggestion(
            alert.required("rule").text(), rules.names(), "the rules are " + String.join(", ", rules.names())));
      }
      var labels = new TreeMap<String, String>();
      alert.section("labels").keys().forEach(each -> labels.put(each, alert.section("labels").required(each).text()));
      return new ExpectedAlert(time(alert), rule.name(), alert.required("key").text(),
          alert.get("status", rule.kind() == Rule.Kind.EVENT ? "fired" : "firing")
              .oneOf(List.of("fired", "pending", "firing", "resolved")),
          labels, alert.text("silenced"));
    }

    private TimedRecord record(YamlSection record) {
      var topic = record.has("topic") || lastTopic == null ? record.required("topic") : lastTopic;
      var key = record.has("key") || lastKey == null ? record.required("key") : lastKey;
      lastTopic = topic;
      lastKey = key;
      var view = ChangeView.of(Objects.requireNonNull(topics.get(topic.oneOf(inputs))));
      var id = topic.text() + " " + key.text();
      var values = known.computeIfAbsent(id, each -> new KnownValues(JSON.createObjectNode(), new HashMap<>()));
      var at = time(record);
      var last = times.put(id, at);
      if (last != null && at.isBefore(last)) {
        throw record.invalid("at", "earlier than the previous record of this key; write them in the order of time");
      }
      var json = values.json();
      var before = json.at("/origin/observed_at").asText();
      view.parts().stream().filter(each -> each.facet() == null || each.facet().isList())
          .forEach(each -> json.remove(each.name()));
      json.putObject("origin").put("observed_at", at.toString()).put("previous_observed_at", before);
      json.put("revision", json.path("revision").asLong() + 1);
      Map.of("id", key.text(), "pool", key.text(), "generation", at.toString())
          .forEach((name, text) -> json.putIfAbsent(name, JSON.getNodeFactory().textNode(text)));
      record.keys().stream().filter(each -> !List.of("at", "topic", "key").contains(each))
          .forEach(each -> put(json, record, each, view));
      return record.as(() -> {
        var value = (SpecificRecord) Objects.requireNonNull(value(view.schema(), json));
        view.facets().stream().filter(facet -> !facet.isList()).forEach(facet -> {
          var after = (IndexedRecord) value(facet.valueSchema(), json.path(facet.name()));
          var isNamed = record.keys().stream().anyMatch(name -> name.startsWith(facet.name() + "."));
          var old = values.facets().put(facet.name(), after);
          facet.putChange(value,
              isNamed ? facet.change(old, after, before.isEmpty() ? null : Instant.parse(before)) : null);
        });
        return new TimedRecord(topic.text(), key.text(), value, at);
      });
    }

    private static void put(ObjectNode json, YamlSection record, String name, ChangeView view) {
      var vocabulary = Vocabulary.of(view.schema());
      var facet = view.facet(Vocabulary.partOf(name));
      if (!vocabulary.contains(name)) {
        throw record.invalid(name, vocabulary.unknown(name));
      } else if (name.matches("(before|changed)\\..*")
          || (facet != null && !facet.isList() && !vocabulary.contains("before." + name))) {
        throw record.invalid(name, "follows from the other values of the records, so leave it out");
      }
      var path = JsonPointer.compile("/" + name.replace('.', '/'));
      if (json.at(path.head()).isTextual()) {
        throw record.invalid(name,
            "is a key of a map that an earlier record writes as one text; write the whole map as one text here, too");
      }
      json.withObject(path.head()).put(path.last().getMatchingProperty(), record.required(name).text());
      if (view.isChange()) {
        view.aboutType().attributes().stream().filter(each -> name.equals(each.property("of")))
            .forEach(each -> json.withObject("/about").put(each.name(), record.required(name).text()));
      }
    }

    /** Reads the lines that {@code tidemark tail TOPIC --format json} printed. */
    private Stream<TimedRecord> recorded() {
      var file = in.find("recorded");
      return file == null ? Stream.of() : in.fileText(file).lines().mapMulti((line, records) -> {
        try {
          var json = JSON.readTree(line);
          var name = json.path("topic").asText();
          inputs.stream().filter(each -> name.endsWith("." + each) && json.path("value").isObject()).forEach(
              each -> records.accept(new TimedRecord(each, json.path("key").asText(),
                  (SpecificRecord) Objects
                      .requireNonNull(value(Objects.requireNonNull(topics.get(each)), json.get("value"))),
                  Instant.ofEpochMilli(json.path("timestamp").asLong()))));
        } catch (IOException | IllegalArgumentException e) {
          throw file.invalid("has a line that 'tidemark tail TOPIC --format json' does not print: " + e.getMessage());
        }
      });
    }

    private static Instant time(YamlSection section) {
      var text = section.required("at").text();
      var duration = DurationFormat.OF_RULES.parse(text);
      try {
        return duration == null ? Instant.parse(text) : START.plus(duration);
      } catch (DateTimeException e) {
        throw section.invalid("at", "'" + text + "' is neither " + DurationFormat.OF_RULES.example() + " after " + START
            + ", nor a time such as that");
      }
    }
  }

  /**
   * Returns the Avro value of JSON. Numbers, times, lists, maps and records may also be texts.
   *
   * @throws IllegalArgumentException if the JSON is not a value of the schema
   */
  private static @Nullable Object value(Schema nullable, JsonNode json) {
    var schema = AvroRecords.nonNull(nullable);
    var text = json.asText();
    if (json.isNull() || json.isMissingNode() || (text.isEmpty() && json.isTextual() && nullable.isNullable())) {
      return null;
    }
    try {
      var isText = json.isTextual() && "[{".indexOf((text + " ").charAt(0)) >= 0;
      var tree = isText && STRUCTURED.contains(schema.getType()) ? JSON.readTree(text) : json;
      return switch (schema.getType()) {
        case RECORD -> {
          var record = AvroRecords.blank(schema);
          schema.getFields().forEach(field -> record.put(field.pos(), tree.hasNonNull(field.name())
              ? value(field.schema(), tree.get(field.name()))
              : SpecificData.get().deepCopy(field.schema(), SpecificData.get().getDefaultValue(field))));
          yield record;
        }
        case ARRAY -> new ArrayList<>(tree.valueStream().map(each -> value(schema.getElementType(), each)).toList());
        case MAP -> {
          var map = new HashMap<String, @Nullable Object>();
          tree.properties().forEach(each -> map.put(each.getKey(), value(schema.getValueType(), each.getValue())));
          yield map;
        }
        case LONG -> schema.getLogicalType() == null ? (Object) Long.valueOf(text)
            : json.isTextual() ? Instant.parse(text) : Instant.ofEpochMilli(json.longValue());
        case INT -> Integer.valueOf(text);
        case DOUBLE -> Double.valueOf(text);
        case BOOLEAN -> Boolean.valueOf(text);
        default -> text;
      };
    } catch (NumberFormatException | DateTimeException | IOException e) {
      throw new IllegalArgumentException("'" + text + "' is not of the type " + schema.getType().getName(), e);
    }
  }
}
