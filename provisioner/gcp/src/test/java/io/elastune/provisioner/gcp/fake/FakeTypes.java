package io.elastune.provisioner.gcp.fake;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The machine types of the fake, with their zones. */
final class FakeTypes {
  private record Type(int cpus, int memoryMb, String accelerator, int gpus, List<String> zones) {}

  private static final List<String> CENTRAL =
      List.of("us-central1-a", "us-central1-b", "us-central1-c");
  private static final Map<String, Type> TYPES = new TreeMap<>();

  /** Types that can be created, but that lists do not show, so that tests have short lists. */
  private static final Pattern UNLISTED = Pattern.compile("contract|a3-(?!highgpu-8g).*|g4-.*");

  static {
    TYPES.put("g2-standard-4", new Type(4, 16384, "nvidia-l4", 1, CENTRAL));
    TYPES.put("g2-standard-48", new Type(48, 196608, "nvidia-l4", 4, CENTRAL));
    TYPES.put(
        "a2-highgpu-1g", new Type(12, 87040, "nvidia-tesla-a100", 1, List.of("us-central1-a")));
    TYPES.put("a4x-highgpu-4g", new Type(140, 905216, "nvidia-gb200", 4, List.of("us-central1-a")));
    TYPES.put("n1-standard-8", new Type(8, 30720, "", 0, FakeCompute.ZONES));
    TYPES.put("contract", new Type(2, 8192, "", 2, FakeCompute.ZONES));
    TYPES.put("a3-highgpu-1g", new Type(26, 239616, "nvidia-h100-80gb", 1, CENTRAL));
    TYPES.put("a3-highgpu-8g", new Type(208, 1916928, "nvidia-h100-80gb", 8, CENTRAL));
    TYPES.put("a3-ultragpu-8g", new Type(224, 3022848, "nvidia-h200-141gb", 8, CENTRAL));
    TYPES.put("g4-standard-48", new Type(48, 184320, "nvidia-rtx-pro-6000", 1, CENTRAL));
  }

  private FakeTypes() {}

  static int gpus(FakeInstance vm) {
    int attached = vm.body.path("guestAccelerators").path(0).path("acceleratorCount").asInt(0);
    Type type = TYPES.get(vm.type());
    return attached + (type == null ? 0 : type.gpus());
  }

  /** Rejects an instance that Compute Engine would reject immediately. */
  static void check(JsonNode body, String zone) {
    String address = body.path("machineType").asString("");
    String name = address.substring(address.lastIndexOf('/') + 1);
    Type type = TYPES.get(name);
    if (type == null || !type.zones().contains(zone)) {
      throw new ApiError(
          400,
          "invalid",
          "Invalid value for field 'resource.machineType': '"
              + address
              + "'. Machine type with name '"
              + name
              + "' does not exist in zone '"
              + zone
              + "'.");
    }
    if (!body.path("name").asString("").matches("[a-z]([-a-z0-9]{0,61}[a-z0-9])?")) {
      throw invalid("name", body.path("name").asString(""));
    }
    body.path("labels")
        .properties()
        .forEach(
            label -> {
              if (!label.getKey().matches("[a-z][a-z0-9_-]{0,62}")
                  || !label.getValue().asString().matches("[a-z0-9_-]{0,63}")) {
                throw invalid("labels", label.toString());
              }
            });
    checkBootDisk(body, name);
    checkShielded(body);
    SchedulingRules.check(body, name);
    if (!type.accelerator().isEmpty() && body.has("guestAccelerators")) {
      throw invalid("guestAccelerators", body.path("guestAccelerators").toString());
    }
    boolean gpus = type.gpus() > 0 || body.has("guestAccelerators");
    if (gpus
        && !body.path("scheduling").path("onHostMaintenance").asString("").equals("TERMINATE")) {
      throw new ApiError(
          400, "badRequest", "Instances with guest accelerators do not support live migration.");
    }
  }

  /** Without a type, the boot disk is pd-standard, which G2 and newer types do not take. */
  private static void checkBootDisk(JsonNode body, String machine) {
    String address = body.at("/disks/0/initializeParams/diskType").asString("pd-standard");
    String disk = address.substring(address.lastIndexOf('/') + 1);
    boolean hyperdiskOnly = machine.matches("(g4|a4x?|a3-ultragpu)-.+");
    if ((machine.matches("(g2|a3)-.+") && disk.equals("pd-standard"))
        || (hyperdiskOnly && disk.startsWith("pd-"))) {
      throw new ApiError(
          400,
          "invalid",
          "[" + disk + ", " + machine + "] features are not compatible for creating instance.");
    }
  }

  /** The options of Shielded VMs need an image with UEFI. */
  private static void checkShielded(JsonNode body) {
    String image = body.at("/disks/0/initializeParams/sourceImage").asString("");
    if (image.contains("bios") && body.has("shieldedInstanceConfig")) {
      throw new ApiError(
          400,
          "invalid",
          "Invalid value for field 'resource.shieldedInstanceConfig': the image is not"
              + " UEFI-compatible.");
    }
  }

  private static ApiError invalid(String field, String value) {
    return new ApiError(
        400, "invalid", "Invalid value for field 'resource." + field + "': '" + value + "'.");
  }

  /** Returns the machine types of a zone as Compute Engine lists them. */
  static List<JsonNode> in(String zone, String base, String project) {
    return TYPES.entrySet().stream()
        .filter(
            type ->
                type.getValue().zones().contains(zone)
                    && !UNLISTED.matcher(type.getKey()).matches())
        .<JsonNode>map(type -> json(type.getKey(), type.getValue(), zone, base, project))
        .toList();
  }

  private static ObjectNode json(String name, Type type, String zone, String base, String project) {
    ObjectNode shown = FakeInstance.object();
    shown.put("kind", "compute#machineType").put("name", name).put("zone", zone);
    shown.put("guestCpus", type.cpus()).put("memoryMb", type.memoryMb());
    shown.put(
        "selfLink",
        "%s/compute/v1/projects/%s/zones/%s/machineTypes/%s".formatted(base, project, zone, name));
    if (type.gpus() > 0) {
      shown
          .putArray("accelerators")
          .addObject()
          .put("guestAcceleratorType", type.accelerator())
          .put("guestAcceleratorCount", type.gpus());
    }
    return shown;
  }

  /** Returns the accelerator types of a zone as Compute Engine lists them. */
  static List<JsonNode> attachable(String zone, String base, String project) {
    if (!CENTRAL.subList(0, 2).contains(zone)) {
      return List.of();
    }
    ObjectNode shown = FakeInstance.object();
    shown.put("kind", "compute#acceleratorType").put("name", "nvidia-tesla-t4");
    shown.put("maximumCardsPerInstance", 4).put("zone", at(base, project, "zones/" + zone));
    shown.put("selfLink", at(base, project, "zones/" + zone + "/acceleratorTypes/nvidia-tesla-t4"));
    return List.of(shown);
  }

  private static String at(String base, String project, String path) {
    return "%s/compute/v1/projects/%s/%s".formatted(base, project, path);
  }
}
