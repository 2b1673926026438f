/** What an AWS account can be asked outside of a run: what is left, and whether one could begin. */
@NullMarked
package io.elastune.provisioner.aws.desk;

import org.jspecify.annotations.NullMarked;
