package io.elastune.core.allocation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * An instance as a member of a team, for trials larger than an instance. The natural order is the
 * order in which teams are filled.
 *
 * @param readyS when the instance is ready, in seconds from the start of the plan
 * @param instance the instance's number
 */
public record TeamMember(double readyS, int instance) implements Comparable<TeamMember> {
  /**
   * Returns whether instance {@code a} joins a team before {@code b}: ready earlier, or lower
   * number.
   */
  public static boolean before(double readyA, int instanceA, double readyB, int instanceB) {
    return readyA < readyB || (readyA == readyB && instanceA < instanceB);
  }

  /**
   * Returns the teams of {@code teamSize} instances that {@code members} form for a group, each a
   * list of instance numbers in joining order. Leftover members are in no team.
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
