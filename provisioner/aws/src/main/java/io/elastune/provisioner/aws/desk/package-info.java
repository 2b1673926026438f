/** Queries of an AWS account outside of runs: orphans, offers and preflight checks. */
@NullMarked
package io.elastune.provisioner.aws.desk;

import org.jspecify.annotations.NullMarked;
