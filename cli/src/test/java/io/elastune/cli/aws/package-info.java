/** Commands that rent on AWS: the real SDK against our own EC2, workers on this machine. */
@NullMarked
package io.elastune.cli.aws;

import org.jspecify.annotations.NullMarked;
