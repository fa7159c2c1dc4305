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

  @Test
  void formats_areThoseTheTextNames() {
    assertThat(fill("{{ about.reserve_usd | usd }}, {{ price.move_percent | change }}, {{ 12.34 | percent }}", MOVED))
        .isEqualTo("80,001 USD, +25.0 %, 12.3 %");
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
    assertThatThrownBy(() -> template("a {{ network")).hasMessage("line 1, column 3: {{ without its }}");
  }

  @Test
  void issuesOfAllPlaceholders_areInOneMessage() {
    assertThatThrownBy(() -> template("{{ netwrk }} and\n [[{{ about.name | usdd }}]] {{ about.nme }}")).hasMessage("""
        line 1, column 4: netwrk: unknown; did you mean network?
        line 2, column 20: 'usdd': no such format; did you mean usd?
        line 2, column 33: about.nme: unknown; did you mean about.name?""");
  }

  private static String fill(String text, PoolChange change) {
    return template(text).fill(change, AttributeHistory.none(SampleChanges.NOON));
  }

  private static Template template(String text) {
    return Template.compile(text, new ExpressionCompiler(Vocabulary.of(PoolChange.getClassSchema()), Map.of(), true));
  }
}
