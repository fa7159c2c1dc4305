package io.tidemark.audit;

/** A law that the topics of a source satisfy, whatever failed while the source wrote them. */
public enum ConsistencyLaw {
  REVISIONS("revisions follow one another without gap or repetition"),
  BEFORE("the value before a change equals the value after the previous change"),
  CHANGED_FACETS("a change names the facets that changed, and no others"),
  FIGURES("a derived figure follows from the values before and after the change"),
  KEY_FRAMES("a key frame carries all facets that are known"),
  RANKINGS("a change of a ranking fits the order before the change"),
  INFORMANTS("no value flips back because another target shows an older value"),
  FOLD("folding a resource's changes gives the resource's state"),
  EVICTIONS("a resource's tombstone agrees with its last change; a new generation follows an eviction or a lost state"),
  LISTINGS("pool.listing has the records that the changes of rankings imply"),
  MEMBERS("target.members and the ranking of a list have the same pools in the same order"),
  SNAPSHOTS("each snapshot of a target has a higher number than the one before"),
  SIZES("records, texts and the detection memory are within their limits"),
  STATE_TOPICS("the state topics are the ones that source.state records, and none of their records is lost"),
  CLOCK("timestamps of records never decrease"),
  TICKS("records after a tick have a later timestamp than the tick"),
  PARTITIONS("the id header of a record names its key, and the record is in the partition of that key"),
  TRANSACTIONS("no transaction stays open for more than two minutes");

  private final String text;

  ConsistencyLaw(String text) {
    this.text = text;
  }

  /** Returns the law as a sentence for people. */
  public String text() {
    return text;
  }
}
