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

  int pagesTurned() {
    return pages.get();
  }

  JsonNode instances(Request request, Instant asOf, boolean silent) {
    return scoped(
        request,
        "compute#instanceAggregatedList",
        "instances",
        compute.visible(request, asOf),
        silent);
  }

  JsonNode answer(Request request) {
    String project = request.path("project");
    return switch (request.method()) {
      case "compute.instances.list" ->
          flat(
              "compute#instanceList",
              compute.visible(request, Instant.MAX.minusSeconds(1)).stream()
                  .filter(vm -> zone(vm).equals(request.path("zone")))
                  .toList());
      case "compute.globalOperations.aggregatedList" ->
          scoped(
              request,
              "compute#operationAggregatedList",
              "operations",
              compute.history(request),
              false);
      case "compute.machineTypes.aggregatedList" ->
          scoped(
              request,
              "compute#machineTypeAggregatedList",
              "machineTypes",
              FakeCompute.ZONES.stream()
                  .flatMap(zone -> FakeTypes.in(zone, request.base(), project).stream())
                  .filter(type -> Filter.passes(type, request.query("filter")))
                  .toList(),
              false);
      case "compute.acceleratorTypes.aggregatedList" ->
          scoped(
              request,
              "compute#acceleratorTypeAggregatedList",
              "acceleratorTypes",
              FakeCompute.ZONES.stream()
                  .flatMap(zone -> FakeTypes.attachable(zone, request.base(), project).stream())
                  .toList(),
              false);
      case "compute.regions.get" -> region(request, request.path("region"));
      case "compute.regions.list" ->
          flat(
              "compute#regionList",
              List.of(region(request, "us-central1"), region(request, "europe-west4")));
      case "compute.zones.get" -> zone(request, request.path("zone"));
      case "compute.zones.list" ->
          flat(
              "compute#zoneList",
              FakeCompute.ZONES.stream().map(name -> zone(request, name)).toList());
      case "compute.projects.get" -> project(request);
      default ->
          throw new ApiError(501, "notImplemented", request.method() + " is not implemented");
    };
  }

  private static String zone(JsonNode thing) {
    String address = thing.path("zone").asString("");
    return address.substring(address.lastIndexOf('/') + 1);
  }

  private static JsonNode zone(Request request, String name) {
    return FakeVm.object()
        .put("kind", "compute#zone")
        .put("name", name)
        .put("status", "UP")
        .put("region", address(request, "regions/" + name.replaceAll("-[a-z]$", "")))
        .put("selfLink", address(request, "zones/" + name));
  }

  private JsonNode region(Request request, String name) {
    List<String> zones = FakeCompute.ZONES.stream().filter(z -> z.startsWith(name + "-")).toList();
    if (zones.isEmpty()) {
      throw ApiError.notFound("projects/" + request.path("project") + "/regions/" + name);
    }
    ObjectNode region =
        FakeVm.object().put("kind", "compute#region").put("name", name).put("status", "UP");
    region.put("selfLink", address(request, "regions/" + name));
    ArrayNode list = region.putArray("zones");
    zones.forEach(zone -> list.add(address(request, "zones/" + zone)));
    compute.quotas().write(region.putArray("quotas"), false, compute.upIn(name));
    return region;
  }

  private JsonNode project(Request request) {
    ObjectNode project =
        FakeVm.object().put("kind", "compute#project").put("name", request.path("project"));
    compute.quotas().write(project.putArray("quotas"), true, compute.upIn(""));
    return project;
  }

  private static String address(Request request, String path) {
    return request.base() + "/compute/v1/projects/" + request.path("project") + "/" + path;
  }

  private static JsonNode flat(String kind, List<JsonNode> all) {
    ObjectNode answer = FakeVm.object().put("kind", kind).put("id", "list");
    all.forEach(answer.withArray("/items")::add);
    return answer;
  }

  private JsonNode scoped(
      Request request, String kind, String what, List<JsonNode> all, boolean silent) {
    int from = request.query("pageToken").isEmpty() ? 0 : request.number("pageToken", 0);
    int to = Math.min(all.size(), from + Math.min(PAGE, request.number("maxResults", PAGE)));
    List<JsonNode> page = all.subList(Math.min(from, to), to);
    ObjectNode answer = FakeVm.object().put("kind", kind).put("id", "list");
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
