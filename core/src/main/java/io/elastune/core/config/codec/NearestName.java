package io.elastune.core.config.codec;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the valid name that is most similar to a misspelled one. */
public final class NearestName {
  private static final int SHORTEST_BEGINNING = 3;

  private NearestName() {}

  /** Returns the most similar of {@code candidates}, if one is similar enough. */
  public static Optional<String> find(String word, Collection<String> candidates) {
    String plain = plain(word);
    String best = null;
    int least = plain.length() < 2 ? 1 : Math.max(1, Math.min(plain.length(), 12) / 3) + 1;
    for (String candidate : candidates) {
      int distance = distance(plain, plain(candidate), least);
      if (distance < least) {
        best = candidate;
        least = distance;
      }
    }
    return best == null ? longer(plain, candidates) : Optional.of(best);
  }

  /** Returns the only candidate that starts with the word. */
  private static Optional<String> longer(String plain, Collection<String> candidates) {
    List<String> found =
        candidates.stream().filter(candidate -> plain(candidate).startsWith(plain)).toList();
    boolean one = plain.length() >= SHORTEST_BEGINNING && found.size() == 1;
    return one ? Optional.of(found.get(0)) : Optional.empty();
  }

  /** Returns {@code did you mean X?}, or an empty string. */
  public static String hint(String word, Collection<String> candidates) {
    return find(word, candidates).map(found -> "did you mean " + found + "?").orElse("");
  }

  private static String plain(String word) {
    return word.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
  }

  /**
   * Returns the edit distance: insertions, deletions, replacements and swaps of neighbors that turn
   * a into b.
   */
  private static int distance(String a, String b, int enough) {
    if (Math.abs(a.length() - b.length()) >= enough) {
      return enough;
    }
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : step(a, b, i, j, cost);
      }
    }
    return cost[a.length()][b.length()];
  }

  private static int step(String a, String b, int i, int j, int[][] cost) {
    boolean same = a.charAt(i - 1) == b.charAt(j - 1);
    int least =
        Math.min(cost[i - 1][j - 1] + (same ? 0 : 1), Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
  }
}
