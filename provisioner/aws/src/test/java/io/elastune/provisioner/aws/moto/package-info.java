/** Integration tests against moto, an independent EC2 simulation. */
@NullMarked
package io.elastune.provisioner.aws.moto;

import org.jspecify.annotations.NullMarked;
