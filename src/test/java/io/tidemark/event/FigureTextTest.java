package io.tidemark.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class FigureTextTest {

  static final Path TABLE = Path.of("src/test/resources/io/tidemark/event/figures.csv");
  static final Path PAGE = Path.of("src/main/resources/io/tidemark/serve/web/page/text.js");

  @ParameterizedTest
  @CsvFileSource(resources = "figures.csv", delimiter = '|', numLinesToSkip = 1)
  void figure_hasItsLeadingDigitsAtAnySize(double value, int digits, String text) {
    assertThat(FigureText.leading(BigDecimal.valueOf(value), digits)).isEqualTo(text);
  }

  /** The page and the terminal write a figure the same. */
  @Test
  void page_hasTheSameFunction() throws Exception {
    var expected = Files.readAllLines(TABLE).stream().skip(1).map(line -> line.split("\\|", -1)[2].strip()).toList();

    assertThat(printedByThePage()).isEqualTo(expected);
  }

  private static List<String> printedByThePage() throws InterruptedException {
    try {
      var process = new ProcessBuilder("node", "src/test/node/figures.mjs", PAGE.toString(), TABLE.toString())
          .redirectErrorStream(true)
          .start();
      var lines = new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
      assertThat(process.waitFor()).as(() -> String.join("\n", lines)).isZero();
      return lines;
    } catch (IOException e) {
      return abort("needs node: " + e.getMessage());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "1.500 | 1.5", "1.000 | 1", "80,000 | 80,000", "2.200e-21 | 2.2e-21", "1.000e+16 | 1e+16", "0 | 0",
    "-0.0120 | -0.012"})
  void zerosAtTheEnd_areLeftOut(String figure, String text) {
    assertThat(FigureText.withoutZeros(figure)).isEqualTo(text);
  }
}
