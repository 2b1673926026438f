package io.elastune.provisioner.gcp.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.terraform.TerraformModule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the service with its own role against the fake Compute Engine, and its unit tests. */
class ReaperIT {
  private static final Path FOLDER = TerraformModule.root().resolve("gcp/reaper");
  private static final String CALL = "import main; main.token = lambda: 'none'; print(main.run())";
  private final long now = GcpTestEnvironment.TIME.instant().getEpochSecond();
  private static final int MARGIN_S = 600;

  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment();

  private static Set<String> role() throws IOException {
    String text = Files.readString(TerraformModule.root().resolve("gcp/policies/reaper.yaml"));
    Set<String> permissions = new TreeSet<>();
    Matcher line = Pattern.compile("(?m)^  - ([A-Za-z.]+)$").matcher(text);
    while (line.find()) {
      permissions.add(line.group(1));
    }
    return permissions;
  }

  @Test
  void deletesWhatExpiredWithItsRoleAlone() throws Exception {
    assumeTrue(canRun(), "skipped: no python3");
    add("elastune-1", Tags.RUN, now - MARGIN_S - 60);
    add("elastune-2", Tags.RUN, now + 900);
    add("other", "team", now - 90_000);
    world.fake().allow(role());

    assertThat(python(CALL)).contains("{\"terminated\": [\"elastune-1\"], \"failed\": {}}', 200");
    assertThat(world.fake().calls("compute.instances.delete")).isEqualTo(1);
    assertThat(world.fake().violations()).isEmpty();
  }

  /** As Cloud Run does: the file is an argument of Python, and each call of the schedule a POST. */
  @Test
  void serviceAnswersTheSchedule() throws Exception {
    assumeTrue(canRun(), "skipped: no python3");
    add("elastune-1", Tags.RUN, now - MARGIN_S - 60);
    world.fake().allow(role());
    HttpServer metadata = metadataServer();
    String code = Files.readString(FOLDER.resolve("main.py"));
    ProcessBuilder builder = builder(code);
    builder.environment().put("PORT", "0");
    builder.environment().put("PYTHONUNBUFFERED", "1");
    builder.environment().put("GCE_METADATA_HOST", "127.0.0.1:" + metadata.getAddress().getPort());
    Process service = builder.start();
    try {
      String port = service.inputReader(UTF_8).readLine().replaceAll("\\D", "");
      assertThat(post(port).body()).isEqualTo("{\"terminated\": [\"elastune-1\"], \"failed\": {}}");
      world.fake().allow(Set.of());
      assertThat(post(port).statusCode()).isEqualTo(500);
    } finally {
      service.destroyForcibly().onExit().join();
      metadata.stop(0);
    }
  }

  private static HttpServer metadataServer() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/computeMetadata/v1/instance/service-accounts/default/token",
        exchange -> {
          byte[] token = "{\"access_token\": \"some\"}".getBytes(UTF_8);
          exchange.sendResponseHeaders(200, token.length);
          exchange.getResponseBody().write(token);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static HttpResponse<String> post(String port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void roleIsMinimal() throws Exception {
    assumeTrue(canRun(), "skipped: no python3");
    add("elastune-1", Tags.RUN, now - MARGIN_S - 60);
    assertThat(role()).hasSize(2);
    for (String permission : role()) {
      Set<String> rest = new TreeSet<>(role());
      rest.remove(permission);
      world.fake().allow(rest);
      assertThat(python(CALL)).contains("403");
    }
  }

  @Test
  void unitTestsPass() throws Exception {
    assumeTrue(canRun(), "skipped: no python3");
    assertThat(python("import unittest; unittest.main('test_main')")).contains("OK");
  }

  private String add(String name, String tag, long expires) {
    Map<String, String> tags = Map.of(tag, "some", Tags.EXPIRES, Long.toString(expires));
    return world.fake().compute().add("us-central1-a", name, "g2-standard-4", tags);
  }

  private boolean canRun() throws Exception {
    try {
      return python("print('runs')").contains("runs");
    } catch (IOException e) {
      return false;
    }
  }

  private ProcessBuilder builder(String program) {
    ProcessBuilder builder =
        new ProcessBuilder("python3", "-c", program)
            .directory(FOLDER.toFile())
            .redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.put("COMPUTE_ENDPOINT", world.fake().url());
    environment.put("PROJECT", "my-project");
    environment.put("MARGIN_MINUTES", Integer.toString(MARGIN_S / 60));
    environment.put("PYTHONDONTWRITEBYTECODE", "1");
    return builder;
  }

  private String python(String program) throws Exception {
    Process process = builder(program).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return output;
  }
}
