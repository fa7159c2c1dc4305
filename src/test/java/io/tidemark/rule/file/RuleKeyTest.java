package io.tidemark.rule.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.event.DurationFormat;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.rule.Rule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The schema of rule files says what the reader of rules accepts. */
class RuleKeyTest {

  static final JsonNode RULE = rule();

  @Test
  void schema_hasTheKeysOfFilesAndNoOthers() {
    assertThat(RULE.at("/properties").fieldNames()).toIterable().containsExactlyInAnyOrderElementsOf(RuleKey.NAMES);
    assertThat(RULE.at("/additionalProperties").asBoolean()).isFalse();
    assertThat(texts("/required")).containsExactlyElementsOf(
        Stream.of(RuleKey.values()).filter(key -> key.usage() == RuleKey.Usage.ALWAYS).map(RuleKey::key).toList());
  }

  @ParameterizedTest
  @EnumSource(value = RuleKey.class, names = "VERSION", mode = EnumSource.Mode.EXCLUDE)
  void schema_describesEachKey(RuleKey key) {
    assertThat(key.description()).isNotBlank();
  }

  @Test
  void schema_namesTheClosedSets() {
    assertThat(texts("/properties/on/enum"))
        .containsExactlyElementsOf(new Topics("tidemark.", Retention.DEFAULT).ruleSchemas().keySet());
    assertThat(texts("/properties/kind/enum"))
        .containsExactlyElementsOf(Stream.of(Rule.Kind.values()).map(Rule.Kind::text).toList());
    assertThat(texts("/properties/severity/enum")).containsExactlyElementsOf(RuleKey.SEVERITIES);
  }

  @Test
  void schema_hasThePatternsOfTheReader() {
    assertThat(RULE.at("/properties/name/pattern").asText()).isEqualTo("^" + RuleReader.NAME + "$");
    assertThat(RULE.at("/properties/settings/propertyNames/pattern").asText())
        .isEqualTo("^" + RuleSettingsReader.NAME + "$");
    assertThat(Stream.of("within", "for", "keep_firing_for", "no_data_for", "cooldown", "digest_after_gap")
        .map(key -> RULE.at("/properties/" + key + "/pattern").asText()))
        .containsOnly("^" + DurationFormat.OF_RULES.pattern() + "$");
  }

  private static List<String> texts(String path) {
    return RULE.at(path).valueStream().map(JsonNode::asText).toList();
  }

  private static JsonNode rule() {
    try {
      return new ObjectMapper().readTree(ShippedRules.schema()).at("/properties/rules/items");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
