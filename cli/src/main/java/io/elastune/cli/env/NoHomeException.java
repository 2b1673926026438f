package io.elastune.cli.env;

/** There is no folder for runs, journals and profiles. */
public final class NoHomeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoHomeException() {
    super("HOME is not set, and this user has no account with a home folder");
  }
}
