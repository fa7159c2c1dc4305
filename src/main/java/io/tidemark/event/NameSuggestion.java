package io.tidemark.event;

import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Suggestions of the right name for a misspelt name. */
@NullMarked
public final class NameSuggestion {

  private NameSuggestion() {}

  /**
   * Returns the name that needs the fewest edits to become the wrong name, or null if no name is near enough to be
   * the intended name: at most two edits away, or a third of the wrong name's length if that is more.
   */
  public static @Nullable String nearest(String wrong, Collection<String> names) {
    var nearest = names.stream().min(Comparator.comparingInt(name -> edits(wrong, name))).orElse(null);
    return nearest == null || edits(wrong, nearest) > Math.max(2, wrong.length() / 3) ? null : nearest;
  }

  /**
   * Returns the question {@code did you mean ...?} with the nearest name, or the text {@code otherwise} if no name is
   * near enough.
   */
  public static String suggestion(String wrong, Collection<String> names, String otherwise) {
    var nearest = nearest(wrong, names);
    return nearest == null ? otherwise : "did you mean " + nearest + "?";
  }

  /** Counts the insertions, deletions and replacements that turn one text into the other (Levenshtein distance). */
  public static int edits(String from, String to) {
    var row = new int[to.length() + 1];
    for (var column = 0; column <= to.length(); column++) {
      row[column] = column;
    }
    for (var line = 1; line <= from.length(); line++) {
      var diagonal = row[0];
      row[0] = line;
      for (var column = 1; column <= to.length(); column++) {
        var replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
        diagonal = row[column];
        row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
      }
    }
    return row[to.length()];
  }
}
