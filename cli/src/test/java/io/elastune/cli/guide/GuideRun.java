package io.elastune.cli.guide;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.elastune.cli.testing.ExampleFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Executes the commands of a guide in order, each unchanged. */
public final class GuideRun implements AutoCloseable {
  /** The remedies for instances whose end is not confirmed, and for a destroy that is refused. */
  private static final Pattern REMEDY =
      Pattern.compile("`(elastune orphans --infra \\S+ --delete(?: --all)?)`");

  private final CloudOfGuide cloud;
  private final String name;
  private final List<GuideCommand> commands;
  private final GuideMachines machines;
  private final TerraformProviders providers;
  private final HttpServer server;
  private final String more;
  private final Path guide;
  private final List<String> remedies;
  private final List<String> outputs = new ArrayList<>();

  /** What a guide uses of its cloud. */
  public interface CloudOfGuide {
    /** Returns the endpoint and credentials. */
    Map<String, String> variables();

    /** Returns the command-line program. */
    String program();

    /**
     * Returns the calls that the program accepts, as branches of a {@code case} in sh.
     *
     * @param url an address; {@code /instances} and {@code /resources} below it list what exists,
     *     and {@code /ready} lets the APIs of Google answer
     */
    String calls(String url);

    /** Returns the commands of the guide that are not executed, with the reason for each. */
    Map<String, String> notExecuted();

    /** Returns the instances of runs that exist. */
    List<String> instances();

    /** Returns the script of the controller's first boot, which has its settings. */
    String bootScript(ResourceLookup created) throws IOException;

    /** Restricts the cloud to the permissions that the controller got. */
    void restrict(ResourceLookup created) throws IOException;

    /** Adds an instance, as of a run in progress. */
    void addInstance();
  }

  /** Finds created resources. */
  public interface ResourceLookup {
    /** Returns the values of the resources of a type. */
    List<JsonNode> created(String type) throws IOException;
  }

  /**
   * Prepares a run.
   *
   * @param name the folder of the Terraform module, e.g. {@code aws}
   * @param more the settings of the nodes of this test, added to those of the controller
   */
  public GuideRun(CloudOfGuide cloud, String name, Path scratch, String more)
      throws IOException, InterruptedException {
    this.cloud = cloud;
    this.name = name;
    this.more = more;
    String python = TerraformProviders.python();
    guide = ExampleFiles.REPOSITORY.resolve("docs/quickstart-" + name + ".md");
    commands = GuideCommand.of(guide);
    remedies =
        REMEDY.matcher(Files.readString(guide)).results().map(some -> some.group(1)).toList();
    assertThat(remedies).as("remedies for instances that are left").hasSizeGreaterThan(1);
    machines = new GuideMachines(scratch, cloud.variables());
    providers = new TerraformProviders(python, scratch.resolve("log"));
    machines.set("TF_REATTACH_PROVIDERS", providers.reattach());
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve("/instances", cloud::instances);
    serve("/resources", this::existing);
    serve("/ready", () -> ready(scratch.resolve("log.ready")));
    server.start();
    machines.substitute(
        cloud.program(), cloud.calls("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  private interface Lines {
    List<String> lines();
  }

  /** Lets the emulated Google accept the calls of all APIs. */
  private static List<String> ready(Path file) {
    try {
      return List.of(Files.writeString(file, "").toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> existing() {
    try {
      return providers.existing();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serve(String path, Lines lines) {
    server.createContext(
        path,
        exchange -> {
          byte[] text = String.join("\n", lines.lines()).getBytes(UTF_8);
          exchange.sendResponseHeaders(200, text.length == 0 ? -1 : text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
  }

  /** Executes all commands. Each must succeed, except for a destroy while an instance exists. */
  public void executeAll() throws Exception {
    assertThat(commands).hasSizeGreaterThan(12);
    for (GuideCommand command : commands) {
      if (command.is("terraform destroy")) {
        assertDestroyRefuses(command);
      }
      succeed(command);
      if (command.is("terraform apply")) {
        assertThat(existing()).isNotEmpty();
        boot();
      }
    }
    assertAllAreExecutedOrNamed();
    assertThat(existing()).as("resources left").isEmpty();
    assertThat(cloud.instances()).as("instances left").isEmpty();
  }

  /** Prints the commands in sentences and tables that were not executed, which the test names. */
  private void assertAllAreExecutedOrNamed() throws IOException {
    Set<String> named = new TreeSet<>();
    for (GuideCommand command : GuideCommand.inText(guide)) {
      if (outputs.stream().noneMatch(output -> output.startsWith(command.text()))) {
        assertThat(cloud.notExecuted())
            .as("%s:%d: neither executed nor named by the test", guide, command.line())
            .containsKey(command.text());
        named.add(command.text());
        System.out.printf(
            "%s:%d not executed: %s: %s%n",
            name, command.line(), command.text(), cloud.notExecuted().get(command.text()));
      }
    }
    assertThat(cloud.notExecuted().keySet()).as("executed, or not in the guide").isEqualTo(named);
  }

  /** Returns the output of the last execution of a command. */
  public String output(String command) {
    return outputs.stream()
        .filter(some -> some.startsWith(command + "\n"))
        .reduce((one, other) -> other)
        .orElseThrow()
        .substring(command.length());
  }

  private void succeed(GuideCommand command) throws Exception {
    int line = command.line();
    String text = command.text();
    long before = System.nanoTime();
    GuideMachines.Result result = machines.execute(text, command.onController());
    System.out.printf(
        "%s:%d %d ms: %s%n",
        name, line, (System.nanoTime() - before) / 1_000_000, text.lines().findFirst().orElse(""));
    assertThat(result.code())
        .as("docs/quickstart-%s.md:%d: %s%n%s", name, line, text, result.output())
        .isZero();
    outputs.add(text + "\n" + result.output());
  }

  private void boot() throws IOException {
    String script = cloud.bootScript(providers::created);
    machines.boot(document(script, "CLOUDS") + "\n" + more, document(script, "JOB"));
    cloud.restrict(providers::created);
  }

  private static String document(String script, String end) {
    return script.split("<<'" + end + "'\n", 2)[1].split("\n" + end + "\n", 2)[0];
  }

  /** An instance of a run prevents the destruction; the remedy of the guide ends it. */
  private void assertDestroyRefuses(GuideCommand destroy) throws Exception {
    List<String> before = existing();
    cloud.addInstance();
    GuideMachines.Result refused = machines.execute(destroy.text(), false);
    assertThat(refused.code()).as(refused.output()).isNotZero();
    assertThat(refused.output()).contains("A run is in progress");
    assertThat(existing()).isEqualTo(before);
    for (String remedy : remedies) {
      // Without a terminal, it has no prompt.
      succeed(new GuideCommand(destroy.line(), true, remedy + " -y"));
    }
  }

  @Override
  public void close() throws IOException {
    server.stop(0);
    providers.close();
    machines.close();
  }
}
