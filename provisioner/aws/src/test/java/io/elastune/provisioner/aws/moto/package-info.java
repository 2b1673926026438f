/** The second opinion: moto, another EC2 that is not ours. */
@NullMarked
package io.elastune.provisioner.aws.moto;

import org.jspecify.annotations.NullMarked;
