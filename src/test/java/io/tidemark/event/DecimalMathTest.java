package io.tidemark.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalMathTest {

  @ParameterizedTest
  @CsvSource({"0.0000566673284218277368707532612867396024960039002528290815078515286, 5.6667328421827736E-5",
    "1.95378e-05, 1.95378e-05", "-12, -12.0"})
  void number_isItsDouble(String text, double number) {
    assertThat(DecimalMath.parse(text)).isEqualTo(number);
  }

  @ParameterizedTest
  @CsvSource({"100, 110, 10.000000000000009", "100, -50, -150.0", "-3, -1.5, 50.0", "-3, -6, -100.0", "-50, 50, 200.0",
    "-3, -3, 0.0"})
  void rise_isPositiveIfTheFigureRises(String before, String after, double percent) {
    assertThat(DecimalMath.percentRise(before, after)).isEqualTo(percent);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "1e999", "", "green"})
  void whatIsNoNumber_isNoValue(String text) {
    assertThat(DecimalMath.parse(text)).isNull();
  }
}
