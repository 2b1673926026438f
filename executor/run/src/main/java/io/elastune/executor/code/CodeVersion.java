package io.elastune.executor.code;

import java.util.Optional;

/**
 * A version of the code of a run, for reports.
 *
 * @param number counts the versions of a run from 1
 * @param hash SHA-256 of the code without Elastune's own files, in hexadecimal digits
 * @param files number of its files
 * @param bytes their total size
 * @param commit the Git commit that was checked out, if any
 * @param dirty whether it had changes that were not committed
 * @param sinceMs when the run began to use it, in milliseconds since 1970
 */
public record CodeVersion(
    int number,
    String hash,
    int files,
    long bytes,
    Optional<String> commit,
    boolean dirty,
    long sinceMs) {
  private static final int SHORT = 12;

  /** Returns the first digits of the hash. */
  public String shortHash() {
    return shorten(hash);
  }

  /** Returns the first digits of a hash or commit. */
  public static String shorten(String digits) {
    return digits.substring(0, Math.min(SHORT, digits.length()));
  }
}
