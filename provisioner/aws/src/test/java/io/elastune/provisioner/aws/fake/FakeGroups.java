package io.elastune.provisioner.aws.fake;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The placement groups of the fake EC2. */
public final class FakeGroups {
  private final Map<String, Map<String, String>> groups = new LinkedHashMap<>();
  private final Predicate<String> used;
  private int hiddenLaunches;

  /** Creates the groups; {@code used} returns whether a group contains a running instance. */
  FakeGroups(Predicate<String> used) {
    this.used = used;
  }

  /** Returns the names of the existing groups. */
  public synchronized Set<String> names() {
    return Set.copyOf(groups.keySet());
  }

  /** Hides groups from this many launches, as EC2 may do with a new group. */
  public synchronized void hide(int launches) {
    hiddenLaunches = launches;
  }

  /** Fails unless the group of a launch exists and is visible. */
  synchronized void requireVisible(String name) {
    require(name);
    if (!name.isEmpty() && hiddenLaunches > 0) {
      hiddenLaunches--;
      throw unknown(name);
    }
  }

  private void require(String name) {
    if (!name.isEmpty() && !groups.containsKey(name)) {
      throw unknown(name);
    }
  }

  synchronized String answer(Query query) {
    return switch (query.action()) {
      case "CreatePlacementGroup" -> create(query);
      case "DeletePlacementGroup" -> delete(query.text("GroupName"));
      default -> describe(query.filters());
    };
  }

  private String create(Query query) {
    String name = query.text("GroupName");
    if (groups.containsKey(name)) {
      throw new ApiError(400, "InvalidPlacementGroup.Duplicate", name + " is there already");
    }
    if (!query.text("Strategy").equals("cluster")) {
      throw new ApiError(400, "InvalidParameterValue", "the strategy is not cluster");
    }
    groups.put(name, query.pairs("TagSpecification.1.Tag"));
    return Xml.nested("CreatePlacementGroupResponse", Xml.element("return", "true"));
  }

  private String delete(String name) {
    require(name);
    if (used.test(name)) {
      throw new ApiError(400, "InvalidPlacementGroup.InUse", name + " is in use");
    }
    groups.remove(name);
    return Xml.nested("DeletePlacementGroupResponse", Xml.element("return", "true"));
  }

  private String describe(Map<String, List<String>> filters) {
    StringBuilder set = new StringBuilder();
    groups.forEach(
        (name, tags) -> {
          boolean wanted =
              filters.entrySet().stream()
                  .allMatch(
                      filter ->
                          filter
                              .getValue()
                              .contains(tags.get(filter.getKey().replaceFirst("^tag:", ""))));
          if (wanted) {
            set.append(Xml.nested("item", Xml.element("groupName", name)));
          }
        });
    return Xml.nested(
        "DescribePlacementGroupsResponse", Xml.nested("placementGroupSet", set.toString()));
  }

  private static ApiError unknown(String name) {
    return new ApiError(400, "InvalidPlacementGroup.Unknown", "unknown placement group " + name);
  }
}
