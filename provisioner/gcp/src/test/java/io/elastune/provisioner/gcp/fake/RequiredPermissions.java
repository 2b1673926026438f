package io.elastune.provisioner.gcp.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The permissions that each call requires according to Google's documentation. */
final class RequiredPermissions {
  private static final Map<String, String> PLAIN =
      Map.ofEntries(
          Map.entry("compute.instances.delete", "compute.instances.delete"),
          Map.entry("compute.instances.get", "compute.instances.get"),
          Map.entry("compute.instances.list", "compute.instances.list"),
          Map.entry("compute.instances.aggregatedList", "compute.instances.list"),
          Map.entry("compute.instances.setMetadata", "compute.instances.setMetadata"),
          Map.entry("compute.instances.getGuestAttributes", "compute.instances.getGuestAttributes"),
          Map.entry("compute.zoneOperations.get", "compute.zoneOperations.get"),
          Map.entry("compute.zoneOperations.wait", "compute.zoneOperations.get"),
          Map.entry("compute.globalOperations.aggregatedList", "compute.globalOperations.list"),
          Map.entry("compute.disks.get", "compute.disks.get"),
          Map.entry("compute.regions.get", "compute.regions.get"),
          Map.entry("compute.regions.list", "compute.regions.list"),
          Map.entry("compute.zones.get", "compute.zones.get"),
          Map.entry("compute.zones.list", "compute.zones.list"),
          Map.entry("compute.machineTypes.aggregatedList", "compute.machineTypes.list"),
          Map.entry("compute.acceleratorTypes.aggregatedList", "compute.acceleratorTypes.list"),
          Map.entry("compute.resourcePolicies.insert", "compute.resourcePolicies.create"),
          Map.entry("compute.regionOperations.wait", "compute.regionOperations.get"),
          Map.entry("compute.projects.get", "compute.projects.get"));

  private RequiredPermissions() {}

  /**
   * Returns the resource of a permission, as conditions see it: the instance for the permissions on
   * instances, otherwise the project.
   */
  static String resource(String permission, FakeRequest fakeRequest) {
    String project = "projects/" + fakeRequest.path("project");
    String name =
        fakeRequest.method().equals("compute.instances.insert")
            ? fakeRequest.body().path("name").asString("")
            : fakeRequest.path("instance");
    return permission.startsWith("compute.instances.") && !name.isEmpty()
        ? project + "/zones/" + fakeRequest.path("zone") + "/instances/" + name
        : project;
  }

  static List<String> of(FakeRequest fakeRequest) {
    if (!fakeRequest.method().equals("compute.instances.insert")) {
      return List.of(PLAIN.getOrDefault(fakeRequest.method(), fakeRequest.method()));
    }
    List<String> needed = new ArrayList<>();
    JsonNode body = fakeRequest.body();
    needed.add("compute.instances.create");
    needed.add("compute.disks.create");
    needed.add("compute.subnetworks.use");
    addIf(needed, body.path("labels").size() > 0, "compute.instances.setLabels");
    addIf(needed, body.path("metadata").path("items").size() > 0, "compute.instances.setMetadata");
    addIf(needed, body.path("tags").path("items").size() > 0, "compute.instances.setTags");
    addIf(needed, body.has("resourcePolicies"), "compute.resourcePolicies.use");
    addIf(needed, body.has("serviceAccounts"), "iam.serviceAccounts.actAs");
    JsonNode disk = body.path("disks").path(0).path("initializeParams");
    addIf(needed, disk.path("labels").size() > 0, "compute.disks.setLabels");
    addIf(
        needed,
        disk.path("sourceImage").asString("").startsWith("projects/my-project/"),
        "compute.images.useReadOnly");
    addIf(
        needed,
        body.path("networkInterfaces").path(0).has("accessConfigs"),
        "compute.subnetworks.useExternalIp");
    return needed;
  }

  private static void addIf(List<String> needed, boolean so, String permission) {
    if (so) {
      needed.add(permission);
    }
  }
}
