package io.elastune.provisioner.gcp.fake;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Responds to list and get calls, with pages and by zone. */
final class FakeLists {
  /** Fewer than Google's page size, so that tests read several pages. */
  private static final int PAGE = 40;

  private static final String SILENT = "us-central1-b";

  private final FakeCompute compute;
  private final AtomicInteger pages = new AtomicInteger();

  FakeLists(FakeCompute compute) {
    this.compute = compute;
  }

  int pagesServed() {
    return pages.get();
  }

  JsonNode instances(FakeRequest fakeRequest, Instant asOf, boolean silent) {
    return scoped(
        fakeRequest,
        "compute#instanceAggregatedList",
        "instances",
        compute.visible(fakeRequest, asOf),
        silent);
  }

  JsonNode answer(FakeRequest fakeRequest) {
    String project = fakeRequest.path("project");
    return switch (fakeRequest.method()) {
      case "compute.instances.list" ->
          flat(
              "compute#instanceList",
              compute.visible(fakeRequest, Instant.MAX.minusSeconds(1)).stream()
                  .filter(vm -> zone(vm).equals(fakeRequest.path("zone")))
                  .toList());
      case "compute.globalOperations.aggregatedList" ->
          scoped(
              fakeRequest,
              "compute#operationAggregatedList",
              "operations",
              compute.history(fakeRequest),
              false);
      case "compute.machineTypes.aggregatedList" ->
          scoped(
              fakeRequest,
              "compute#machineTypeAggregatedList",
              "machineTypes",
              FakeCompute.ZONES.stream()
                  .flatMap(zone -> FakeTypes.in(zone, fakeRequest.base(), project).stream())
                  .filter(type -> ListFilter.passes(type, fakeRequest.query("filter")))
                  .toList(),
              false);
      case "compute.acceleratorTypes.aggregatedList" ->
          scoped(
              fakeRequest,
              "compute#acceleratorTypeAggregatedList",
              "acceleratorTypes",
              FakeCompute.ZONES.stream()
                  .flatMap(zone -> FakeTypes.attachable(zone, fakeRequest.base(), project).stream())
                  .toList(),
              false);
      case "compute.regions.get" -> region(fakeRequest, fakeRequest.path("region"));
      case "compute.regions.list" ->
          flat(
              "compute#regionList",
              List.of(region(fakeRequest, "us-central1"), region(fakeRequest, "europe-west4")));
      case "compute.zones.get" -> zone(fakeRequest, fakeRequest.path("zone"));
      case "compute.zones.list" ->
          flat(
              "compute#zoneList",
              FakeCompute.ZONES.stream().map(name -> zone(fakeRequest, name)).toList());
      case "compute.projects.get" -> project(fakeRequest);
      default ->
          throw new ApiError(501, "notImplemented", fakeRequest.method() + " is not implemented");
    };
  }

  private static String zone(JsonNode thing) {
    String address = thing.path("zone").asString("");
    return address.substring(address.lastIndexOf('/') + 1);
  }

  private static JsonNode zone(FakeRequest fakeRequest, String name) {
    return FakeInstance.object()
        .put("kind", "compute#zone")
        .put("name", name)
        .put("status", "UP")
        .put("region", address(fakeRequest, "regions/" + name.replaceAll("-[a-z]$", "")))
        .put("selfLink", address(fakeRequest, "zones/" + name));
  }

  private JsonNode region(FakeRequest fakeRequest, String name) {
    List<String> zones = FakeCompute.ZONES.stream().filter(z -> z.startsWith(name + "-")).toList();
    if (zones.isEmpty()) {
      throw ApiError.notFound("projects/" + fakeRequest.path("project") + "/regions/" + name);
    }
    ObjectNode region =
        FakeInstance.object().put("kind", "compute#region").put("name", name).put("status", "UP");
    region.put("selfLink", address(fakeRequest, "regions/" + name));
    ArrayNode list = region.putArray("zones");
    zones.forEach(zone -> list.add(address(fakeRequest, "zones/" + zone)));
    compute.quotas().write(region.putArray("quotas"), false, compute.runningIn(name));
    return region;
  }

  private JsonNode project(FakeRequest fakeRequest) {
    ObjectNode project =
        FakeInstance.object()
            .put("kind", "compute#project")
            .put("name", fakeRequest.path("project"));
    compute.quotas().write(project.putArray("quotas"), true, compute.runningIn(""));
    return project;
  }

  private static String address(FakeRequest fakeRequest, String path) {
    return fakeRequest.base() + "/compute/v1/projects/" + fakeRequest.path("project") + "/" + path;
  }

  private static JsonNode flat(String kind, List<JsonNode> all) {
    ObjectNode answer = FakeInstance.object().put("kind", kind).put("id", "list");
    all.forEach(answer.withArray("/items")::add);
    return answer;
  }

  private JsonNode scoped(
      FakeRequest fakeRequest, String kind, String what, List<JsonNode> all, boolean silent) {
    int from = fakeRequest.query("pageToken").isEmpty() ? 0 : fakeRequest.number("pageToken", 0);
    int to = Math.min(all.size(), from + Math.min(PAGE, fakeRequest.number("maxResults", PAGE)));
    List<JsonNode> page = all.subList(Math.min(from, to), to);
    ObjectNode answer = FakeInstance.object().put("kind", kind).put("id", "list");
    ObjectNode items = answer.putObject("items");
    for (String zone : FakeCompute.ZONES) {
      List<JsonNode> here = page.stream().filter(some -> zone(some).equals(zone)).toList();
      ObjectNode scope = items.putObject("zones/" + zone);
      if (silent && zone.equals(SILENT)) {
        warn(scope, "UNREACHABLE", "The zone did not respond.");
        answer.putArray("unreachables").add("zones/" + zone);
      } else if (here.isEmpty()) {
        warn(scope, "NO_RESULTS_ON_PAGE", "There are no results for scope 'zones/" + zone + "'.");
      } else {
        ArrayNode list = scope.putArray(what);
        here.forEach(list::add);
      }
    }
    if (to < all.size()) {
      pages.incrementAndGet();
      answer.put("nextPageToken", Integer.toString(to));
    }
    return answer;
  }

  private static void warn(ObjectNode scope, String code, String message) {
    scope.putObject("warning").put("code", code).put("message", message);
  }
}
