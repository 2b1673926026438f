/** Our own EC2: a small, truthful one over HTTP, with every fault that the real one has. */
@NullMarked
package io.elastune.provisioner.aws.fake;

import org.jspecify.annotations.NullMarked;
