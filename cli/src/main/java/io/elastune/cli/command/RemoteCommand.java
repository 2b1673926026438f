package io.elastune.cli.command;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.remote.RemoteEndpoint;
import io.elastune.cli.remote.RemoteProtocol;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Answers a request of another machine. {@code elastune --host} runs it over ssh. */
@Command(
    name = "remote",
    hidden = true,
    header = "Answer a request of another machine; 'elastune --host' runs this command over ssh.",
    footer = {"", "Example:", "  elastune --host ana@controller run job.yaml"})
public final class RemoteCommand extends Subcommand {
  @Parameters(index = "0", paramLabel = "ACTION", description = "The request.")
  private String action = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "JSON", description = "Its parameters.")
  private Optional<String> request = Optional.empty();

  @Override
  int execute(CliEnvironment cliEnvironment, Output output) {
    JsonNode document =
        request.<JsonNode>map(JsonMapper.shared()::readTree).orElseGet(RemoteProtocol::document);
    return new RemoteEndpoint(cliEnvironment, root().commands()).answer(action, document);
  }
}
