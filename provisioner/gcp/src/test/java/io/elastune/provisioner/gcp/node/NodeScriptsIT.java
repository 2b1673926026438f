package io.elastune.provisioner.gcp.node;

import io.elastune.core.properties.Tier;
import io.elastune.provisioner.remote.FakeNode;
import io.elastune.provisioner.remote.NodeScriptsContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** Runs the scripts of a Compute Engine node. */
@Tag(Tier.NIGHTLY)
class NodeScriptsIT extends NodeScriptsContract {
  @Override
  protected FakeNode create(Path root) throws IOException {
    return new FakeGceNode(root);
  }
}
