package io.elastune.provisioner.remote;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates a value on first use: clients of clouds are slow to create. */
public final class Lazy<T> {
  private final Supplier<T> maker;
  private @Nullable T made;

  public Lazy(Supplier<T> maker) {
    this.maker = maker;
  }

  /** Returns the value, which is created by the first call. */
  public synchronized T get() {
    T some = made;
    if (some == null) {
      some = maker.get();
      made = some;
    }
    return some;
  }

  /** Returns the value if it has been created. */
  public synchronized Optional<T> ifCreated() {
    return Optional.ofNullable(made);
  }
}
