package io.elastune.cli.failure;

/** How many slips of the finger lie between two names. */
final class EditDistance {
  private static final int LETTERS_PER_SLIP = 3;

  private EditDistance() {}

  /** Whether one name may have been meant for the other: at most one slip in three letters. */
  static boolean isNear(String given, String meant) {
    return meant.startsWith(given)
        || between(given, meant) <= Math.max(1, meant.length() / LETTERS_PER_SLIP);
  }

  /** Letters to insert, delete, replace or swap with their neighbour. */
  static int between(String a, String b) {
    int[][] distance = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        distance[i][j] = i == 0 ? j : j == 0 ? i : step(distance, a, b, i, j);
      }
    }
    return distance[a.length()][b.length()];
  }

  private static int step(int[][] distance, String a, String b, int i, int j) {
    boolean same = a.charAt(i - 1) == b.charAt(j - 1);
    int best = distance[i - 1][j - 1] + (same ? 0 : 1);
    best = Math.min(best, 1 + Math.min(distance[i - 1][j], distance[i][j - 1]));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, distance[i - 2][j - 2] + 1) : best;
  }
}
