package io.tidemark.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GeneratedPagesTest {

  static Set<String> pages() {
    return GeneratedPages.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_isWhatIsGenerated(String page) {
    assertThat(GeneratedPages.FOLDER.resolve(page))
        .as("docs/developing/building.md says how to generate the pages")
        .hasContent(GeneratedPages.all().get(page));
  }
}
