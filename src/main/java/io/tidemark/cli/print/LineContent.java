package io.tidemark.cli.print;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a line says of a record, the most important part first.
 *
 * @param parts each of one field, or of what happened; those that fit are printed
 * @param fields how many fields there are, so that those left out are counted; 0 where the parts are no fields
 * @param shortest the first part for a line that is too short for it; null to cut that
 */
record LineContent(List<StyledText> parts, int fields, @Nullable StyledText shortest) {

  private static final StyledText COMMA = StyledText.plain(", ");

  /** Parts that are no fields: those that do not fit are left out. */
  static LineContent of(List<String> parts) {
    var texts = parts.stream().map(StyledText::plain).toList();
    return new LineContent(texts, 0, null);
  }

  static LineContent of(String part) {
    return of(Collections.singletonList(part));
  }

  /** As many parts as fit in the columns, at least one, and how many fields are left out. */
  StyledText fit(int columns) {
    for (int count = parts.size(); count > 1; count--) {
      var text = first(count).and(more(fields - count, " more fields"));
      if (text.width() <= columns) {
        return text;
      }
    }
    var first = first(1);
    var withRest = first.and(more(fields - 1, " more fields"));
    var withShortRest = first.and(more(fields - 1, " more"));
    return Stream.of(withRest, withShortRest, first)
        .filter(text -> text.width() <= columns)
        .findFirst()
        .orElseGet(() -> Objects.requireNonNullElse(shortest, first).cut(columns));
  }

  private StyledText first(int count) {
    var text = StyledText.EMPTY;
    for (var part : parts.subList(0, Math.min(count, parts.size()))) {
      text = text.isEmpty() ? part : text.and(COMMA).and(part);
    }
    return text;
  }

  private static StyledText more(int fields, String what) {
    return fields > 0
        ? StyledText.of(StyledText.Style.DIM, " +" + (what.endsWith("fields")
            ? TerminalText.counted(fields, "more field")
            : fields + what))
        : StyledText.EMPTY;
  }
}
