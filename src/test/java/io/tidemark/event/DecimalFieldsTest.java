package io.tidemark.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.common.types.SimpleType;
import io.tidemark.rule.expression.Term;
import io.tidemark.rule.expression.Vocabulary;
import java.util.List;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalFieldsTest {

  /** Every attribute of a change that is text and no decimal: a new one is either added here or in the table. */
  static final List<String> TEXTS = List.of(
      "appeared.kind", "appeared.list", "extra.json", "removed.reason", "origin.operation", "origin.source",
      "origin.target");

  @Test
  void poolAttributes_areDecimalsExceptNamesIdsAndTimes() {
    var texts = new TreeSet<>(TEXTS);
    texts.addAll(List.of(
        "id", "network", "address", "about.name", "about.dex", "about.base_symbol", "about.quote_symbol",
        "about.created_at", "description.name", "description.pool_name", "description.pool_created_at",
        "description.base_token", "description.quote_token", "description.dex", "description.dex_name",
        "launchpad.launchpad_details.completed_at",
        "launchpad.launchpad_details.migrated_destination_pool_address"));

    assertThat(textsOf(PoolChange.getClassSchema())).containsExactlyElementsOf(texts);
  }

  @Test
  void tokenAttributes_areDecimalsExceptNamesIdsAndTimes() {
    var texts = new TreeSet<>(TEXTS);
    texts.addAll(List.of(
        "id", "network", "address", "about.name", "about.symbol", "description.name", "description.symbol",
        "description.service_coin_id", "launchpad.launchpad_details.completed_at",
        "launchpad.launchpad_details.migrated_destination_pool_address", "media.image_url", "pool_price.pool"));

    assertThat(textsOf(TokenChange.getClassSchema())).containsExactlyElementsOf(texts);
  }

  @ParameterizedTest
  @CsvSource({"0.0000566673284218277368707532612867396024960039002528290815078515286, 5.6667328421827736E-5",
    "1.95378e-05, 1.95378e-05", "-12, -12.0"})
  void number_isItsDouble(String text, double number) {
    assertThat(DecimalFields.parse(text)).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "1e999", "", "green"})
  void whatIsNoNumber_isNoValue(String text) {
    assertThat(DecimalFields.parse(text)).isNull();
  }

  private static List<String> textsOf(Schema schema) {
    return Vocabulary.of(schema).terms().values().stream()
        .filter(term -> term.type().equals(SimpleType.STRING))
        .map(Term::name)
        .filter(name -> !name.startsWith("before."))
        .toList();
  }
}
