package io.elastune.core.config.codec;

import io.elastune.core.field.CanonicalConstructor;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Derives a section from the {@link FileField}s of a record. The codec of a field follows from the
 * type of its component ({@link TypeCodecs}) unless {@link #codec} sets another. After reading,
 * components without annotation have the values of {@link #defaults}, or are empty.
 *
 * @param <R> the record that the section is read into
 */
public final class RecordSection<R> {
  private final RecordType<R> type;
  private final Map<String, Codec<?>> codecs = new LinkedHashMap<>();
  private final Map<String, Object> absents = new LinkedHashMap<>();
  private final Map<String, EmptyValue<?>> empties = new LinkedHashMap<>();
  private final Map<String, Function<FieldValues, ?>> computed = new LinkedHashMap<>();
  private final Map<String, Section<?>> inlined = new LinkedHashMap<>();
  private final Map<String, Predicate<R>> written = new LinkedHashMap<>();
  private final Map<String, Field<R, ?>> fields = new LinkedHashMap<>();
  private Optional<R> defaults = Optional.empty();
  private Optional<SectionText> text = Optional.empty();

  private RecordSection(RecordType<R> type) {
    this.type = type;
  }

  /** The value of a component without its field, and the values that are not written. */
  private record EmptyValue<T>(T value, Predicate<T> isEmpty) {
    @SuppressWarnings("unchecked") // the value of a field has the type of the component
    boolean isEmpty(Object value) {
      return isEmpty.test((T) value);
    }
  }

  private record SectionText(String title, String doc) {
    static SectionText of(FileSection section) {
      return new SectionText(section.title(), section.doc());
    }
  }

  /** Returns the section of a record that needs nothing beyond its annotations. */
  public static <R> Section<R> of(Class<R> type) {
    return define(type).section();
  }

  /** Begins the definition of a section. */
  public static <R> RecordSection<R> define(Class<R> type) {
    return new RecordSection<>(RecordType.of(type));
  }

  /** Returns the class of the record. */
  public Class<R> type() {
    return type.type();
  }

  /** Sets the title and the description of a section whose record is used in several. */
  public RecordSection<R> text(String title, String doc) {
    text = Optional.of(new SectionText(title, doc));
    return this;
  }

  /** Sets the values of absent fields. */
  public RecordSection<R> defaults(R values) {
    defaults = Optional.of(values);
    return this;
  }

  /** Sets the value of one absent field. */
  public RecordSection<R> absent(String component, Object value) {
    absents.put(type.component(component).getName(), value);
    return this;
  }

  /**
   * Sets the value that a component has without its field, which says what then applies.
   *
   * @param isEmpty whether a value is written as no field
   */
  public <T> RecordSection<R> empty(String component, T value, Predicate<T> isEmpty) {
    empties.put(type.component(component).getName(), new EmptyValue<>(value, isEmpty));
    return this;
  }

  /**
   * Sets how a component follows from all fields of the section; {@link #empty} and {@link
   * #defaults} do not apply to it.
   */
  public RecordSection<R> computed(String component, Function<FieldValues, ?> value) {
    computed.put(type.component(component).getName(), value);
    return this;
  }

  /**
   * Sets that the fields of another section are fields of this one, at the place of a component
   * that is read from them.
   */
  public RecordSection<R> inlined(String component, Section<?> section) {
    inlined.put(type.component(component).getName(), section);
    return this;
  }

  /** Sets which records are written with the field of a component; all are by default. */
  public RecordSection<R> written(String component, Predicate<R> isWritten) {
    written.put(type.component(component).getName(), isWritten);
    return this;
  }

  /** Sets the codec of the field of a component. */
  public RecordSection<R> codec(String component, Codec<?> codec) {
    codecs.put(type.component(component).getName(), codec);
    return this;
  }

  /**
   * Returns the field of a component, for a validation of several fields together. The caller names
   * its type: that of the component, without {@link Optional}.
   */
  @SuppressWarnings("unchecked") // the type of the value follows from the component
  public <T> Field<R, T> field(String component) {
    return (Field<R, T>) derived(type.component(component));
  }

  /** Returns the section. */
  public Section<R> section() {
    return section(fieldValues -> {});
  }

  /** Returns the section with a validation of several fields together. */
  public Section<R> section(Consumer<FieldValues> check) {
    return section(check, (fieldValues, values) -> values);
  }

  /**
   * Returns the section with a validation of several fields together.
   *
   * @param complete completes the record, and may report invalid combinations of values
   */
  public Section<R> section(Consumer<FieldValues> check, BiFunction<FieldValues, R, R> complete) {
    List<Field<R, ?>> all = type.components().stream().flatMap(this::fields).toList();
    SectionText given = text.orElseGet(() -> SectionText.of(type.annotation(FileSection.class)));
    return Section.of(
            given.title(),
            given.doc(),
            all,
            fieldValues -> complete.apply(fieldValues, build(fieldValues)))
        .withValidation(
            fieldValues -> {
              inlined.values().forEach(part -> part.check().accept(fieldValues));
              check.accept(fieldValues);
            });
  }

  private Stream<Field<R, ?>> fields(RecordComponent component) {
    Section<?> part = inlined.get(component.getName());
    if (part != null) {
      return inlined(component, part);
    }
    return description(component) == null ? Stream.of() : Stream.of(derived(component));
  }

  private <P> Stream<Field<R, ?>> inlined(RecordComponent component, Section<P> part) {
    return part.fields().stream()
        .map(field -> field.within(values -> this.<P>value(component, values).orElseThrow()));
  }

  private Field<R, ?> derived(RecordComponent component) {
    Field<R, ?> known = fields.get(component.getName());
    if (known != null) {
      return known;
    }
    Field<R, ?> field = create(component, Objects.requireNonNull(description(component)));
    fields.put(component.getName(), field);
    return field;
  }

  private static @Nullable FileField description(RecordComponent component) {
    @Nullable FileField own = component.getAnnotation(FileField.class);
    return own == null ? component.getType().getAnnotation(FileField.class) : own;
  }

  private <T> Field<R, T> create(RecordComponent component, FileField text) {
    Codec<T> codec = codecOf(component);
    Optional<T> absent = absent(component, text, codec);
    boolean isRequired = absent.isEmpty() && text.without().isEmpty();
    return new Field<>(
        text.name().isEmpty() ? CanonicalConstructor.snakeCase(component.getName()) : text.name(),
        codec,
        isRequired ? Field.FieldRequirement.REQUIRED : Field.FieldRequirement.OPTIONAL,
        absent,
        absent.map(value -> InlineText.of(codec.write(value))).orElse(text.without()),
        values ->
            this.<T>value(component, values).filter(value -> isWritten(component, values, value)),
        text.doc(),
        text.example());
  }

  @SuppressWarnings("unchecked") // the codec has the type of the component
  private <T> Codec<T> codecOf(RecordComponent component) {
    Codec<?> own = codecs.get(component.getName());
    return (Codec<T>) (own == null ? TypeCodecs.of(component, RecordSection::sectionOf) : own);
  }

  private static Optional<Codec<?>> sectionOf(Class<?> type) {
    return type.isAnnotationPresent(FileSection.class)
        ? Optional.of(RecordSection.of(type))
        : Optional.empty();
  }

  @SuppressWarnings("unchecked") // the value of a field has the type of the component
  private <T> Optional<T> absent(RecordComponent component, FileField text, Codec<T> codec) {
    Object own = absents.get(component.getName());
    if (own != null) {
      return Optional.of((T) own);
    }
    if (!text.absent().isEmpty()) {
      return Optional.of(DefaultText.read(component, text.absent(), codec));
    }
    return text.without().isEmpty()
        ? defaults.flatMap(values -> this.<T>value(component, values))
        : Optional.empty();
  }

  @SuppressWarnings("unchecked") // the value of a field has the type of the component
  private <T> Optional<T> value(RecordComponent component, R values) {
    return (Optional<T>) type.value(component, values);
  }

  private boolean isWritten(RecordComponent component, R values, Object value) {
    Predicate<R> own = written.get(component.getName());
    if (own != null) {
      return own.test(values);
    }
    boolean mayBeEmpty = !Objects.requireNonNull(description(component)).without().isEmpty();
    return component.getType() == Optional.class || !mayBeEmpty || !isEmpty(component, value);
  }

  private boolean isEmpty(RecordComponent component, Object value) {
    EmptyValue<?> empty = empties.get(component.getName());
    if (empty != null) {
      return empty.isEmpty(value);
    }
    return (value instanceof Collection<?> items && items.isEmpty())
        || (value instanceof Map<?, ?> map && map.isEmpty());
  }

  private R build(FieldValues fieldValues) {
    return type.create(
        component -> {
          Section<?> part = inlined.get(component.getName());
          Function<FieldValues, ?> own =
              part == null ? computed.get(component.getName()) : part.build();
          if (own != null) {
            Object value = own.apply(fieldValues);
            return value instanceof Optional<?> optional ? optional : Optional.of(value);
          }
          Field<R, ?> field = fields.get(component.getName());
          return field == null
              ? defaults.flatMap(values -> value(component, values))
              : given(fieldValues, field, component);
        });
  }

  /** Returns the value of a field; a section that is absent has all its defaults. */
  private Optional<?> given(FieldValues fieldValues, Field<?, ?> field, RecordComponent component) {
    Optional<?> value = fieldValues.find(field);
    EmptyValue<?> empty = empties.get(component.getName());
    if (value.isEmpty() && empty != null) {
      return Optional.of(empty.value());
    }
    boolean isNeeded = value.isEmpty() && component.getType().isRecord();
    return isNeeded && field.codec() instanceof Section<?> section
        ? Optional.of(section.allDefaults())
        : value;
  }
}
