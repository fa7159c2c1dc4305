package io.tidemark.rule.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.PoolChange;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTest {

  static final PoolChange MOVED = SampleChanges.moved("1.0", "1.25");

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "{{ network }}: {{ about.reserve_usd }}                          | solana: 80,001",
    "{{ price.base_token_price_usd }} is {{ 0.000012345 }}           | 1.25 is 0.00001235",
    "{{ network == 'solana' ? 'yes' : 'no' }}                        | yes",
    "{{ (timestamp('2026-01-01T12:00:00Z') - timestamp('2026-01-01T09:30:00Z')).getHours() }} hours | 2 hours",
    "{{ about.dex }}                                                 | unknown",
    "a[[, of {{ about.dex }}]][[, on {{ network }}]].                | a, on solana."})
  void text_isFilled(String text, String filled) {
    assertThat(fill(text, MOVED)).isEqualTo(filled);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '→', quoteCharacter = '`', value = {
    "{{ 0.000106 | price }}, {{ 1.06e-4 | price }}, {{ 1.0e-10 }} → $0.000106, $0.000106, 1e-10",
    "{{ 67123.4 | price }}, {{ 1.2345 | price }}, {{ -5.5 | price }} → $67,123, $1.235, -$5.5",
    "{{ 9999.0 | usd }}, {{ 12345.0 | usd }}, {{ 999999.0 | usd }} → $9,999, $12.3K, $1M",
    "{{ 1234567.0 | usd }}, {{ -4567890123.0 | usd }}, {{ 2e12 | usd }} → $1.23M, -$4.57B, $2T",
    "{{ 2.2e-21 | price }}, {{ -2.25e-21 | usd }}, {{ 2.2e-21 | short }}, {{ 2.2e-21 }} → $2.2e-21, -$2.25e-21, 2.2e-21, 2.2e-21",
    "{{ 0.00042 | change }}, {{ -0.00042 | percent }}, {{ 0.00042 | points }} → +0.00042 %, -0.00042 %, +0.00042 points",
    "{{ 0.0 | change }}, {{ -0.04 | change }}, {{ 0.06 | percent(1) }} → +0.0 %, -0.04 %, 0.1 %",
    "{{ 1234567.0 | short }}, {{ 640808.0 | short }}, {{ 0.0 | usd }} → 1.23M, 641K, $0",
    "{{ 0.01053 | percent(4) }}, {{ 0.01053 | percent ( 2 ) }} → 0.0105 %, 0.01 %",
    "{{ 12.5 | change(0) }}, {{ -0.123 | points(1) }} → +13 %, -0.1 points"})
  void number_isRoundedForPeople(String text, String filled) {
    assertThat(fill(text, MOVED)).isEqualTo(filled);
  }

  @Test
  void formats_areThoseTheTextNames() {
    assertThat(fill("{{ about.reserve_usd | usd }}, {{ price.move_percent | change }}, {{ 12.34 | percent }}", MOVED))
        .isEqualTo("$80K, +25.0 %, 12.3 %");
  }

  @Test
  void hostileName_staysOnItsLineAndIsBounded() {
    var hostile = SampleChanges.moved("1.0", "1.25");
    hostile.getAbout().setName("A\n\u202e<script>\u0007" + "x".repeat(10_000));

    var filled = fill("{{ about.name }}!", hostile);

    assertThat(filled).startsWith("A <script> xxx").endsWith("…!").hasSize(81).doesNotContain("\n", "\u202e");
  }

  @Test
  void placeholderThatIsNotClosed_isRejectedWithItsPlace() {
    assertThatThrownBy(() -> template("a {{ network")).hasMessage("line 1, column 3: {{ has no closing }}");
  }

  /** Each of many openings is followed by spaces that could belong to several parts of a format. */
  @Test
  void manyPlaceholdersThatAreNotClosed_areRejected() {
    assertThatThrownBy(() -> template("{{".repeat(250) + "x|a(" + " ".repeat(490)))
        .hasMessageContaining("has no closing }}");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '→', quoteCharacter = '`', value = {
    "{{ 1.0 | usd(2) }} → line 1, column 10: 'usd' takes no digits; formats with digits are percent, change, points",
    "{{ 1.0 | percent(x) }} → line 1, column 10: 'percent(x)': the number of digits must be 0 to 12",
    "{{ 1.0 | percent(99) }} → line 1, column 10: 'percent(99)': the number of digits must be 0 to 12"})
  void wrongDigits_areRejectedWithTheirPlace(String text, String problem) {
    assertThatThrownBy(() -> template(text)).hasMessage(problem);
  }

  @Test
  void issuesOfAllPlaceholders_areInOneMessage() {
    assertThatThrownBy(() -> template("{{ netwrk }} and\n [[{{ about.name | usdd }}]] {{ about.nme }}")).hasMessage("""
        line 1, column 4: netwrk: unknown; did you mean network?
        line 2, column 20: 'usdd': no such format; did you mean usd?
        line 2, column 33: about.nme: unknown; did you mean about.name?""");
  }

  private static String fill(String text, PoolChange change) {
    return template(text).fill(new EvaluatedRecord(change, SampleChanges.NOON));
  }

  private static Template template(String text) {
    return Template.compile(text, new ExpressionCompiler(Vocabulary.of(PoolChange.getClassSchema()), Map.of(), true));
  }
}
