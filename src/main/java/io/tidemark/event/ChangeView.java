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
 * The records of one topic, by what changes share: facets, derived figures, decimals, identity, origin, generation.
 * What a schema says is read once for each generated class. Records that are no changes of a resource, such as
 * aggregates, have a view too; it has no facets.
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

  /** The views of all resources, made when first asked for: reading one topic needs the view of that topic alone. */
  private static final class OfResources {
    /** The changes of all resources, in the order of the document. */
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

  /** The resource, its change and its state share their first name: Pool, PoolChange, PoolState. */
  private Schema sibling(String suffix) {
    var name = schema.getFullName();
    try {
      return SpecificData.get().getSchema(Class.forName(name.substring(0, name.length() - "Change".length()) + suffix));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(name + " has no " + suffix, e);
    }
  }

  private List<FacetView> facets(Schema ofResource) {
    return ofResource.getFields().stream()
        .filter(field -> AvroRecords.nonNull(field.schema()).getType() == Schema.Type.RECORD)
        .map(field -> new FacetView(field, Objects.requireNonNull(schema.getField(field.name()), field.name())))
        .toList();
  }

  /** What names a resource and never changes: the attributes that are in no facet. */
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
   * A part of a change that is null where it did not change: a facet, or one of {@code appeared}, {@code visibility},
   * {@code removed}.
   *
   * @param facet null where the part is no facet
   */
  public record ChangePart(String name, int position, @Nullable FacetView facet) {

    /** Whether the part changed: a facet that only a key frame carries did not. */
    public boolean isNews(IndexedRecord change) {
      return change.get(position) instanceof IndexedRecord part && (facet == null || facet.isChanged(part));
    }
  }

  /**
   * The start of the part of the retention that a time is in, counted from the epoch.
   *
   * @param half half of the retention of changes: a resource's first change in each is a key frame
   */
  public static Instant keyFrameStart(Instant time, Duration half) {
    return Instant.ofEpochMilli(Math.floorDiv(time.toEpochMilli(), half.toMillis()) * half.toMillis());
  }

  /** The view of the records of a generated class. */
  public static ChangeView of(Class<? extends SpecificRecord> type) {
    return VIEWS.get(type);
  }

  public static ChangeView of(IndexedRecord record) {
    return VIEWS.get(record.getClass());
  }

  /** The view of the records of a generated class, by its schema. */
  public static ChangeView of(Schema schema) {
    return VIEWS.get(SpecificData.get().getClass(schema));
  }

  /** The view of the changes of a resource, by its name: {@code pool}, {@code coin-day}, ... */
  public static ChangeView ofResource(String name) {
    var view = OfResources.BY_NAME.get(name);
    if (view == null) {
      throw new IllegalArgumentException("No resource is called " + name);
    }
    return view;
  }

  /** The views of the changes of all resources, in the order of the document. */
  public static List<ChangeView> ofResources() {
    return OfResources.ALL;
  }

  public Schema schema() {
    return schema;
  }

  /** Whether the records are changes of a resource. */
  public boolean isChange() {
    return resource != null;
  }

  /** The name of the resource that the changes are of: the first word of its topics. */
  public String resource() {
    return ofChange(resourceName);
  }

  public Schema resourceSchema() {
    return ofChange(resource);
  }

  /** The states of the same resource. */
  public StateView state() {
    return ofChange(state);
  }

  private <T> T ofChange(@Nullable T value) {
    return Objects.requireNonNull(value, () -> schema.getName() + " is no change of a resource");
  }

  /** All fields of the records. */
  public List<Attribute> attributes() {
    return attributes;
  }

  /** The type of {@code about}, the values by which a change can be read on its own. */
  public Attribute.RecordOf aboutType() {
    return ofChange(about);
  }

  /** The facets of the resource, in the order of the schema. */
  public List<FacetView> facets() {
    return facets;
  }

  /** The facet of that name; null where there is none. */
  public @Nullable FacetView facet(String name) {
    for (var facet : facets) {
      if (facet.name().equals(name)) {
        return facet;
      }
    }
    return null;
  }

  /** The facets, {@code appeared}, {@code visibility} and {@code removed}, in the order of the schema. */
  public List<ChangePart> parts() {
    return parts;
  }

  /** Names of the parts that changed. */
  public List<String> changed(IndexedRecord change) {
    return parts.stream().filter(part -> part.isNews(change)).map(ChangePart::name).toList();
  }

  /** The same, comma-separated: the record header {@code facets}. */
  public String facetsHeader(IndexedRecord change) {
    return String.join(",", changed(change));
  }

  /** The resource of the same identity without facets. */
  public SpecificRecord identityOf(IndexedRecord known) {
    var copy = AvroRecords.blank(known.getSchema());
    for (var attribute : identity) {
      copy.put(attribute.position(), attribute.in(known));
    }
    return copy;
  }

  /** The resource that a change is of, without facets. */
  public SpecificRecord identityOfChange(IndexedRecord change) {
    var resource = AvroRecords.blank(resourceSchema());
    identity.forEach(attribute -> resource.put(attribute.position(), get(change, attribute.name())));
    return resource;
  }

  /** When a resource was observed for the first time, as a change says it; else its generation. */
  public Instant aboutFirstObservedAt(IndexedRecord change, Instant generation) {
    return AvroRecords.at(change, "about.first_observed_at") instanceof Instant at ? at : generation;
  }

  /** A change of a resource without parts. */
  public SpecificRecord emptyChange(IndexedRecord known, Instant generation, long revision) {
    var change = AvroRecords.blank(schema);
    for (var attribute : identity) {
      put(change, attribute.name(), attribute.in(known));
    }
    put(change, "generation", generation);
    put(change, "revision", revision);
    return change;
  }

  /** The snapshot that observed a record; null where the record has none. */
  public @Nullable Origin origin(IndexedRecord record) {
    return (Origin) get(record, "origin");
  }

  public @Nullable Instant generation(IndexedRecord record) {
    return (Instant) get(record, "generation");
  }

  public @Nullable Long revision(IndexedRecord record) {
    return (Long) get(record, "revision");
  }

  public @Nullable IndexedRecord about(IndexedRecord record) {
    return (IndexedRecord) get(record, "about");
  }

  public @Nullable Appeared appeared(IndexedRecord record) {
    return (Appeared) get(record, "appeared");
  }

  public @Nullable Visibility visibility(IndexedRecord record) {
    return (Visibility) get(record, "visibility");
  }

  public @Nullable Removed removed(IndexedRecord record) {
    return (Removed) get(record, "removed");
  }

  private @Nullable Object get(IndexedRecord record, String name) {
    var field = schema.getField(name);
    return field == null ? null : record.get(field.pos());
  }

  /** Sets a field of a record, by its name. */
  public void put(IndexedRecord record, String name, @Nullable Object value) {
    record.put(Objects.requireNonNull(schema.getField(name), name).pos(), value);
  }
}
