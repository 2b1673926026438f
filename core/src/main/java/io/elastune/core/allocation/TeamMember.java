package io.elastune.core.allocation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * An instance as a member of a team for trials bigger than an instance. The natural order is the
 * one in which teams are filled.
 *
 * @param readyS when it is ready, in seconds from the start of the plan
 * @param instance its number
 */
public record TeamMember(double readyS, int instance) implements Comparable<TeamMember> {
  /** Whether instance {@code a} joins a team before {@code b}: ready earlier, or lower number. */
  public static boolean before(double readyA, int instanceA, double readyB, int instanceB) {
    return readyA < readyB || (readyA == readyB && instanceA < instanceB);
  }

  /**
   * The teams of {@code teamSize} that {@code members} form for a group, each a list of numbers in
   * the order of joining; members left over are in none.
   */
  public static List<List<Integer>> teams(Collection<TeamMember> members, int teamSize) {
    List<Integer> joined = members.stream().sorted().map(TeamMember::instance).toList();
    List<List<Integer>> teams = new ArrayList<>();
    for (int from = 0; from + teamSize <= joined.size(); from += teamSize) {
      teams.add(joined.subList(from, from + teamSize));
    }
    return teams;
  }

  @Override
  public int compareTo(TeamMember other) {
    if (readyS == other.readyS && instance == other.instance) {
      return 0;
    }
    return before(readyS, instance, other.readyS, other.instance) ? -1 : 1;
  }
}
