package io.elastune.provisioner.remote;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something that is made when it is first needed: clients of clouds take long to make. */
public final class Lazy<T> {
  private final Supplier<T> maker;
  private @Nullable T made;

  public Lazy(Supplier<T> maker) {
    this.maker = maker;
  }

  /** The one thing, which is made now if it was not before. */
  public synchronized T get() {
    T some = made;
    if (some == null) {
      some = maker.get();
      made = some;
    }
    return some;
  }

  /** It, if it was ever needed. */
  public synchronized Optional<T> made() {
    return Optional.ofNullable(made);
  }
}
