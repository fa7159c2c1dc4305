package io.tidemark.cli.print;

import java.util.ArrayList;
import java.util.List;

/** Styled text for lines of a terminal. The text is always escaped, and measured in columns of the terminal. */
record StyledText(List<Span> spans) {

  static final StyledText EMPTY = new StyledText(List.of());

  private static final int LONGEST = 2_000;
  private static final String RESET = "\033[0m";

  /** The style of a text, if the terminal shows colours. */
  enum Style {
    PLAIN(""),
    DIM("2"),
    BOLD("1"),
    PLACE("36"),
    UP("32"),
    DOWN("31"),
    INFO("1;33"),
    WARNING("1;35"),
    CRITICAL("1;31");

    private final String code;

    Style(String code) {
      this.code = code;
    }
  }

  record Span(Style style, String text) {}

  static StyledText of(Style style, String text) {
    return new StyledText(List.of(new Span(style, TerminalText.text(text, LONGEST))));
  }

  static StyledText plain(String text) {
    return of(Style.PLAIN, text);
  }

  StyledText and(Style style, String text) {
    return and(of(style, text));
  }

  StyledText and(String text) {
    return and(Style.PLAIN, text);
  }

  StyledText and(StyledText other) {
    var all = new ArrayList<>(spans);
    all.addAll(other.spans);
    return new StyledText(all);
  }

  int width() {
    return spans.stream().mapToInt(span -> TerminalText.width(span.text)).sum();
  }

  boolean isEmpty() {
    return width() == 0;
  }

  /** Fits the text to an exact number of columns: cuts it with an ellipsis, or fills it with spaces. */
  StyledText inColumns(int columns) {
    var cut = cut(columns);
    return cut.and(" ".repeat(columns - cut.width()));
  }

  StyledText cut(int columns) {
    if (width() <= columns) {
      return this;
    }
    var cut = new ArrayList<Span>();
    var left = columns - 1;
    for (var span : spans) {
      var text = TerminalText.cut(span.text, left);
      cut.add(new Span(span.style, text));
      left -= TerminalText.width(text);
      if (!text.equals(span.text)) {
        break;
      }
    }
    cut.add(new Span(Style.DIM, "…"));
    return new StyledText(cut);
  }

  String render(boolean colours) {
    var text = new StringBuilder();
    spans.forEach(span -> text.append(colours && !span.style.code.isEmpty()
        ? "\033[" + span.style.code + "m" + span.text + RESET
        : span.text));
    return text.toString();
  }
}
