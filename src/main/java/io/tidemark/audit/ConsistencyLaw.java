package io.tidemark.audit;

/** A law that the topics of a source satisfy, whatever failed while they were written. */
public enum ConsistencyLaw {
  REVISIONS("revisions follow one another without gap or repetition"),
  BEFORE("the value before is the value of the last change"),
  CHANGED_FACETS("a change names the facets that changed, and no others"),
  FIGURES("a derived figure is computed from before and after"),
  KEY_FRAMES("a key frame carries all facets that are known"),
  RANKINGS("a change of a ranking fits the order that it changes"),
  INFORMANTS("no value flips back because another target shows an older one"),
  FOLD("the fold of the changes is the state"),
  EVICTIONS("a tombstone follows the change with the reason evicted"),
  LISTINGS("pool.listing has the records that the changes of rankings imply"),
  MEMBERS("the members of a list's target are its ranking"),
  SNAPSHOTS("every snapshot of a target has a number of its own, and numbers increase"),
  SIZES("records, texts and the detection memory are within their limits"),
  STATE_TOPICS("the topics of states are those that the source left, with all their records"),
  CLOCK("timestamps of records never decrease"),
  TICKS("records after a tick are later than the tick"),
  PARTITIONS("a record has the id of its key and is in the partition of its key"),
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
