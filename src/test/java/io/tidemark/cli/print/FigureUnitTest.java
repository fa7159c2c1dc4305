package io.tidemark.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureUnitTest {

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "0.0000566673284218277368707532612867396024960039002528290815078515286 | $0.00005667",
    "98049483.9912 | $98.05M",
    "2434.3712345 | $2,434",
    "77015.42 | $77,015",
    "999999.4 | $999,999",
    "12 | $12",
    "1.50 | $1.5",
    "442.98512 | $443.0",
    "1.95378e-05 | $0.00001954",
    "1.234e-12 | $1.234e-12",
    "0.0000000000000000000022 | $2.200e-21",
    "1e30 | $1.000e+30",
    "0.00000014523 | $0.0000001452",
    "0.000000014523 | $1.452e-8",
    "2.70016521312815e+15 | $2,700T",
    "-0.00012345678 | -$0.0001235",
    "0.0 | $0",
    "NaN | NaN",
    "1e999999999 | 1e999999999",
  })
  void dollars_haveFourDigits(String sent, String shown) {
    assertThat(FigureUnit.USD.format(sent, ZoneOffset.UTC)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "15.9283 | $15.93",
    "9999.4 | $9,999",
    "19219.31 | $19.2K",
    "48996 | $49K",
    "999999.4 | $1M",
    "48121000000 | $48.1B",
    "2.70016521312815e+15 | $2,700T",
    "-19219 | -$19.2K",
    "1e999 | $1.000e+999",
  })
  void sumsOfMoney_haveThreeDigitsFromTenThousandOn(String sent, String shown) {
    assertThat(FigureUnit.USD_SUM.format(sent, ZoneOffset.UTC)).isEqualTo(shown);
  }

  @Test
  void movedSums_haveTheDigitsThatTellThemApart() {
    assertThat(FigureUnit.USD_SUM.formatMove("19219", "19217", ZoneOffset.UTC)).isEqualTo("$19.219K -> $19.217K");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "0.0001041 | 0.0001271 | 0.0001041 -> 0.0001271",
    "22066267457.75 | 22071041001.05 | 22.066B -> 22.071B",
    "22066267457.75 | 22066267458.75 | 22.066267458B -> 22.066267459B",
  })
  void twoValues_haveTheDigitsThatTellThemApart(String from, String to, String shown) {
    assertThat(FigureUnit.NONE.formatMove(from, to, ZoneOffset.UTC)).isEqualTo(shown);
  }

  @Test
  void equalText_endsTheSearchForDigits() {
    assertThat(FigureUnit.NONE.formatMove("1", "1.0", ZoneOffset.UTC)).isEqualTo("1 -> 1");
  }

  @Test
  void percentages_haveASign_andNothingWhereTheyRoundToZero() {
    assertThat(FigureUnit.percent(22.08)).isEqualTo("+22.1%");
    assertThat(FigureUnit.percent(-0.034)).isEqualTo("-0.03%");
    assertThat(FigureUnit.percent(12_345.6)).isEqualTo("+12,346%");
    assertThat(FigureUnit.percent(0.001)).isEmpty();
  }

  @Test
  void identifiers_areWrittenAsTheyAre_andDoNotMove() {
    assertThat(FigureUnit.IDENTIFIER.formatMove(42_161L, 1_313_161_554L, ZoneOffset.UTC))
        .isEqualTo("42161 -> 1313161554");
    assertThat(FigureUnit.IDENTIFIER.move(96L, 97L)).isNull();
  }

  @Test
  void secondsSince1970_areATimeOfDay() {
    assertThat(FigureUnit.TIME.format(1_795_364_098L, ZoneOffset.UTC)).isEqualTo("16:14:58");
    assertThat(FigureUnit.TIME.format(Long.MAX_VALUE, ZoneOffset.UTC)).as("no time in seconds").startsWith("9");
    assertThat(FigureUnit.TIME.format(Long.MIN_VALUE, ZoneOffset.UTC)).startsWith("-9");
  }
}
