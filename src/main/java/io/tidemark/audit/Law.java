package io.tidemark.audit;

/** What holds for the topics of a source, whatever happened to those who wrote them. */
public enum Law {
  REVISIONS("revisions follow one another without gap or repeat"),
  BEFORE("what a change says was before is what was said last"),
  CHANGED_FACETS("a change names what changed, and nothing else"),
  FIGURES("a derived figure is that of before and after"),
  KEY_FRAMES("a key frame carries all that is known"),
  RANKINGS("a ranking's change fits the order it changes"),
  FOLD("the fold of the changes is the state"),
  EVICTIONS("what is forgotten was said to be"),
  LISTINGS("pool.listing says what the changes of rankings say"),
  MEMBERS("the members of a list's target are its ranking"),
  SNAPSHOTS("every look at a target has a number of its own, going up"),
  CLOCK("record times never run backwards"),
  TICKS("what follows a tick is later than it"),
  PARTITIONS("a record bears the name and lies in the partition of its key"),
  VALUES("every value can be read"),
  TRANSACTIONS("no transaction hangs");

  private final String text;

  Law(String text) {
    this.text = text;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
