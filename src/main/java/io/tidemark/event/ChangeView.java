package io.tidemark.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A view of the records of one topic, with access to the parts that the changes of all resources share: facets,
 * derived figures, decimals, identity, origin and generation. The schema of each generated class is read once. Records
 * that are not changes of a resource, such as aggregates, also have a view, but without facets.
 *
 * <p>Detection, rules, the audit, the printers and the headers use this view, so that all of them read a change in
 * the same way, and a new facet in the schema needs no code in any of them. In return, the compiler does not check
 * that each facet has a change. Creating the view checks it.
 */
@NullMarked
public final class ChangeView {
  static {
    AvroSettings.apply();
  }

  private static final ClassValue<ChangeView> VIEWS = new ClassValue<>() {
    @Override
    protected ChangeView computeValue(Class<?> type) {
      return new ChangeView(type.asSubclass(SpecificRecord.class));
    }
  };

  private final Schema schema;
  private final List<Attribute> attributes;
  private final @Nullable Schema resource;
  private final @Nullable String resourceName;
  private final @Nullable StateView state;
  private final List<FacetView> facets;
  private final List<Attribute> identity;
  private final List<ChangePart> parts;
  private final Attribute.@Nullable RecordOf about;

  /** The views of all resources, created on first use, because reading one topic needs only that topic's view. */
  private static final class OfResources {
    /** Views of the changes of all resources, in the order of the interface document. */
    static final List<ChangeView> ALL =
        Stream.of(PoolChange.class, TokenChange.class, RankingChange.class, GlobalChange.class, CoinDayChange.class,
            TickerChange.class, DerivativesExchangeChange.class, ContractChange.class, TreasuryChange.class,
            HoldingChange.class, PlatformChange.class)
            .map(VIEWS::get)
            .toList();

    static final Map<String, ChangeView> BY_NAME =
        ALL.stream().collect(Collectors.toUnmodifiableMap(ChangeView::resource, Function.identity()));
  }

  private ChangeView(Class<? extends SpecificRecord> type) {
    this.schema = SpecificData.get().getSchema(type);
    this.attributes = Attribute.of(schema);
    this.resource = schema.getField("appeared") == null ? null : sibling("");
    this.resourceName = resource == null ? null : resource.getProp("resource");
    this.facets = resource == null ? List.of() : facets(resource);
    this.state = resource == null ? null : new StateView(sibling("State"), facets);
    this.identity = resource == null ? List.of() : identity(resource);
    this.parts = resource == null ? List.of() : parts(attributes);
    this.about = attributes.stream()
        .filter(attribute -> attribute.name().equals("about"))
        .map(attribute -> (Attribute.RecordOf) attribute.type())
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns the schema that is named like the schema of this view, but with the given suffix in place of {@code
   * Change}. For example, a resource is named Pool, its change PoolChange, and its state PoolState.
   */
  private Schema sibling(String suffix) {
    var name = schema.getFullName();
    try {
      return SpecificData.get().getSchema(Class.forName(name.substring(0, name.length() - "Change".length()) + suffix));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name + " has no generated class with '" + suffix + "' in place of 'Change'", e);
    }
  }

  private List<FacetView> facets(Schema ofResource) {
    return ofResource.getFields().stream()
        .filter(field -> AvroRecords.nonNull(field.schema()).getType() == Schema.Type.RECORD)
        .map(field -> new FacetView(field, Objects.requireNonNull(schema.getField(field.name()), field.name())))
        .toList();
  }

  /** Returns the attributes that identify a resource and never change. They are the attributes outside the facets. */
  private static List<Attribute> identity(Schema ofResource) {
    return Attribute.of(ofResource).stream().filter(each -> !(each.type() instanceof Attribute.RecordOf)).toList();
  }

  private List<ChangePart> parts(List<Attribute> ofChange) {
    return ofChange.stream()
        .filter(attribute -> attribute.nullable() && attribute.type() instanceof Attribute.RecordOf)
        .map(attribute -> new ChangePart(attribute.name(), attribute.position(), facet(attribute.name())))
        .toList();
  }

  /**
   * A part of a change: a facet, {@code appeared}, {@code visibility} or {@code removed}. The field of the part is
   * null in a change that does not include the part.
   *
   * @param facet the facet; null if the part is not a facet
   */
  public record ChangePart(String name, int position, @Nullable FacetView facet) {

    /** Returns whether the part changed. A key frame also includes facets that did not change. */
    public boolean isNews(IndexedRecord change) {
      return change.get(position) instanceof IndexedRecord part && (facet == null || facet.isChanged(part));
    }
  }

  /**
   * Returns the start of the key frame period that contains a time. Each period is half as long as the retention, and
   * the first period begins at the epoch.
   *
   * @param half length of a period: half of the retention of changes. A resource's first change in each period is a key
   *     frame, which includes all known facets
   */
  public static Instant keyFrameStart(Instant time, Duration half) {
    return Instant.ofEpochMilli(Math.floorDiv(time.toEpochMilli(), half.toMillis()) * half.toMillis());
  }

  public static ChangeView of(Class<? extends SpecificRecord> type) {
    return VIEWS.get(type);
  }

  public static ChangeView of(IndexedRecord record) {
    return VIEWS.get(record.getClass());
  }

  /** Returns the view of the records of the class that was generated from a schema. */
  public static ChangeView of(Schema schema) {
    return VIEWS.get(SpecificData.get().getClass(schema));
  }

  /** Returns the view of the changes of the resource with the given name, such as {@code pool} or {@code coin-day}. */
  public static ChangeView ofResource(String name) {
    var view = OfResources.BY_NAME.get(name);
    if (view == null) {
      throw new IllegalArgumentException("Unknown resource: " + name);
    }
    return view;
  }

  /** Returns the views of the changes of all resources, in the order of the interface document. */
  public static List<ChangeView> ofResources() {
    return OfResources.ALL;
  }

  public Schema schema() {
    return schema;
  }

  /**
   * Returns whether this is a view of the changes of a resource. If not, it has no facets and no parts, and {@link
   * #resource}, {@link #resourceSchema} and {@link #state} throw an exception.
   */
  public boolean isChange() {
    return resource != null;
  }

  /** Returns the name of the resource, which is also the first word in the names of the resource's topics. */
  public String resource() {
    return ofChange(resourceName);
  }

  public Schema resourceSchema() {
    return ofChange(resource);
  }

  /** Returns the view of the states of the same resource. */
  public StateView state() {
    return ofChange(state);
  }

  private <T> T ofChange(@Nullable T value) {
    return Objects.requireNonNull(value, () -> schema.getName() + " is not a change of a resource");
  }

  public List<Attribute> attributes() {
    return attributes;
  }

  /**
   * Returns the type of the field {@code about}. The values in that field make a change readable without other records.
   */
  public Attribute.RecordOf aboutType() {
    return ofChange(about);
  }

  /** Returns the facets of the resource, in schema order. */
  public List<FacetView> facets() {
    return facets;
  }

  public @Nullable FacetView facet(String name) {
    for (var facet : facets) {
      if (facet.name().equals(name)) {
        return facet;
      }
    }
    return null;
  }

  /**
   * Returns the parts of a change, in schema order: the facets, {@code appeared}, {@code visibility} and {@code
   * removed}.
   */
  public List<ChangePart> parts() {
    return parts;
  }

  /** Returns the names of the parts that changed according to a change. */
  public List<String> changed(IndexedRecord change) {
    return parts.stream().filter(part -> part.isNews(change)).map(ChangePart::name).toList();
  }

  /** Returns a resource that has only the identity of a resource or of the resource of a change, without facets. */
  public SpecificRecord identityOf(IndexedRecord record) {
    var resource = AvroRecords.blank(resourceSchema());
    identity.forEach(attribute -> resource.put(attribute.position(), AvroRecords.at(record, attribute.name())));
    return resource;
  }

  /**
   * Creates a change with the identity of a known resource and the given generation and revision, but without origin,
   * {@code about} and parts.
   */
  public SpecificRecord emptyChange(IndexedRecord known, Instant generation, long revision) {
    var change = AvroRecords.blank(schema);
    for (var attribute : identity) {
      AvroRecords.put(change, attribute.name(), attribute.in(known));
    }
    AvroRecords.put(change, "generation", generation);
    AvroRecords.put(change, "revision", revision);
    return change;
  }

  /**
   * Returns the origin of a record: the snapshot that observed it or, for a change that no snapshot caused, the most
   * recently observed target of the resource. Returns null if the record has no origin.
   */
  public @Nullable Origin origin(IndexedRecord record) {
    return (Origin) AvroRecords.at(record, "origin");
  }

  public @Nullable Instant generation(IndexedRecord record) {
    return (Instant) AvroRecords.at(record, "generation");
  }

  public @Nullable Long revision(IndexedRecord record) {
    return (Long) AvroRecords.at(record, "revision");
  }

  public @Nullable IndexedRecord about(IndexedRecord record) {
    return (IndexedRecord) AvroRecords.at(record, "about");
  }

  public @Nullable Appeared appeared(IndexedRecord record) {
    return (Appeared) AvroRecords.at(record, "appeared");
  }

  public @Nullable Visibility visibility(IndexedRecord record) {
    return (Visibility) AvroRecords.at(record, "visibility");
  }

  public @Nullable Removed removed(IndexedRecord record) {
    return (Removed) AvroRecords.at(record, "removed");
  }
}
