package io.elastune.provisioner.gcp.fake;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** An operation of the fake. Guarded by the lock of {@link FakeCompute}. */
final class FakeOperation {
  final String name;
  final String type;
  final FakeInstance vm;
  final String vmName;
  final String zone;
  final String project;
  final Instant inserted;
  Instant ends;
  @Nullable String errorCode;
  String errorMessage = "";

  FakeOperation(int number, String type, FakeInstance vm, Instant now, Instant ends) {
    this.name =
        "operation-" + number + "-" + type.replace('.', '-').toLowerCase(java.util.Locale.ROOT);
    this.type = type;
    this.vm = vm;
    this.vmName = vm.name();
    this.zone = vm.zone;
    this.project = vm.project;
    this.inserted = now;
    this.ends = ends;
  }

  FakeOperation fail(String code, String message) {
    errorCode = code;
    errorMessage = message;
    return this;
  }

  boolean isDone(Instant now) {
    return !now.isBefore(ends);
  }

  ObjectNode json(String base, Instant now) {
    String of = base + "/compute/v1/projects/" + project + "/zones/" + zone;
    ObjectNode shown = FakeInstance.object();
    shown.put("kind", "compute#operation");
    shown.put("id", Integer.toUnsignedString(name.hashCode()));
    shown.put("name", name);
    shown.put("operationType", type);
    shown.put("zone", of);
    shown.put("targetLink", of + "/instances/" + vmName);
    shown.put("targetId", vm.id);
    shown.put("selfLink", of + "/operations/" + name);
    shown.put("user", type.startsWith("compute.") ? "system" : "tester@example.org");
    shown.put("insertTime", inserted.toString());
    shown.put("startTime", inserted.toString());
    shown.put("status", isDone(now) ? "DONE" : "RUNNING");
    shown.put("progress", isDone(now) ? 100 : 0);
    if (isDone(now)) {
      shown.put("endTime", ends.toString());
      String code = errorCode;
      if (code != null) {
        shown.put("httpErrorStatusCode", code.equals("QUOTA_EXCEEDED") ? 403 : 503);
        shown.put("httpErrorMessage", "SERVICE UNAVAILABLE");
        shown
            .putObject("error")
            .putArray("errors")
            .addObject()
            .put("code", code)
            .put("message", errorMessage);
      }
    }
    return shown;
  }
}
