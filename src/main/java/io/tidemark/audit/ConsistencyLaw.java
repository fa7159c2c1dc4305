package io.tidemark.audit;

/** A law that the topics of a source satisfy, whatever failed while the source wrote them. */
public enum ConsistencyLaw {
  REVISIONS("revisions follow one another without gap or repetition"),
  BEFORE("the value before a change is the value after the last change"),
  CHANGED_FACETS("a change names the facets that changed, and no others"),
  FIGURES("a derived figure is computed from before and after"),
  KEY_FRAMES("a key frame carries all facets that are known"),
  RANKINGS("a change of a ranking fits the order before the change"),
  INFORMANTS("no value flips back because another target shows an older value"),
  FOLD("the fold of a resource's changes is the resource's state"),
  EVICTIONS("a tombstone follows the change with the reason evicted"),
  LISTINGS("pool.listing has the records that the changes of rankings imply"),
  MEMBERS("the members of a list's target are the list's ranking"),
  SNAPSHOTS("the numbers of a target's snapshots increase, without repetition"),
  SIZES("records, texts and the detection memory are within their limits"),
  STATE_TOPICS("the topics of states are those that the source recorded, with all their records"),
  CLOCK("timestamps of records never decrease"),
  TICKS("records after a tick are later than the tick"),
  PARTITIONS("the id header of a record names its key, and the record is in the partition of that key"),
  TRANSACTIONS("no transaction hangs");

  private final String text;

  ConsistencyLaw(String text) {
    this.text = text;
  }

  /** Returns the law as a sentence for people. */
  public String text() {
    return text;
  }
}
