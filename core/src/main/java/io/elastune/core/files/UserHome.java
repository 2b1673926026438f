package io.elastune.core.files;

import java.util.Optional;

/** The home folder of the user, by the same rule everywhere. */
public final class UserHome {
  private UserHome() {}

  /** Returns the home folder of the user of this process. */
  public static Optional<String> ofProcess() {
    return of(Optional.ofNullable(System.getenv("HOME")));
  }

  /**
   * Returns {@code $HOME}, as in a shell, or else the home of the account; empty for a user without
   * an account.
   *
   * @param variable the value of {@code HOME}, which may be empty
   */
  public static Optional<String> of(Optional<String> variable) {
    return variable
        .filter(value -> !value.isEmpty())
        .or(() -> Optional.ofNullable(System.getProperty("user.home")))
        .filter(value -> !value.isEmpty() && !value.equals("?")); // Java's name for no home
  }
}
