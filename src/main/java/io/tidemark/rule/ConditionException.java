package io.tidemark.rule;

import java.util.List;
import java.util.stream.Collectors;

/** A condition that cannot be used: all that is wrong with it, where, and where possible what was probably meant. */
public final class ConditionException extends IllegalArgumentException {

  private final transient List<Slip> slips;

  /**
   * One thing that is wrong.
   *
   * @param line of the condition's text, from 1
   * @param column in that line, from 1
   * @param problem what is wrong, without the place
   */
  public record Slip(int line, int column, String problem) {
    @Override
    public String toString() {
      return "line %d, column %d: %s".formatted(line, column, problem);
    }
  }

  ConditionException(int line, int column, String problem) {
    this(List.of(new Slip(line, column, problem)));
  }

  /** @param slips at least one, in the order of the text */
  ConditionException(List<Slip> slips) {
    super(slips.stream().map(Slip::toString).collect(Collectors.joining("\n")));
    this.slips = List.copyOf(slips);
  }

  /** What is wrong, in the order of the text. */
  public List<Slip> slips() {
    return slips;
  }
}
